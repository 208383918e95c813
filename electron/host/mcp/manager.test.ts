import { afterEach, describe, expect, it } from "vitest";
import { fixtureServer, World } from "./test-kit.ts";

let world: World | undefined;
const open = (...args: ConstructorParameters<typeof World>): World => (world = new World(...args));
afterEach(async () => {
  expect(await world?.end()).toEqual([]);
  world = undefined;
});

describe("the MCP room", () => {
  it("starts a server, offers its tools, calls them, and leaves nothing behind", async () => {
    const { start, row, call, tools, events } = bind(open([fixtureServer("small", ["small.mjs"])]));
    expect(row("small")).toMatchObject({ state: "stopped", toolCount: 0, transport: "stdio" });
    expect(await start()).toEqual([]);
    expect(row("small")).toMatchObject({ state: "ready", toolCount: 8, enabled: true, origin: "user" });
    expect(row("small").tools).toContain("echo");
    expect([...tools.keys()]).toContain("mcp__small__echo");
    expect(await call("small", "echo", { text: "héllo 漢" })).toBe("héllo 漢");
    expect(events.map(({ type }) => type)).toEqual(["McpServerStarting", "McpServerReady"]);
  });
});

/** The world's methods as functions. */
function bind(from: World): Pick<World, "tools" | "events" | "mcp"> & {
  start: World["start"];
  row: World["row"];
  call: World["call"];
} {
  return {
    mcp: from.mcp,
    tools: from.tools,
    events: from.events,
    start: () => from.start(),
    row: (name) => from.row(name),
    call: (...args) => from.call(...args),
  };
}
