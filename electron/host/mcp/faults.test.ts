import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { prepareInput } from "../tools/prepare.ts";
import { fixtureServer, World } from "./mcp.testkit.ts";

// What servers get wrong (mcp.md 1 and 6), each against the real manager.
let world: World;
afterEach(async () => {
  expect(await world.end()).toEqual([]);
});
async function start(
  mode: string,
  config: Parameters<typeof fixtureServer>[2] = {},
  file?: string,
): Promise<void> {
  world = new World([]);
  const args: [string, ...string[]] = ["misbehaving.mjs", mode];
  if (file !== undefined) args.push(path.join(world.folder, file));
  world.declarations = [fixtureServer("x", args, config)];
  await world.mcp.reload();
  await world.start();
}
const echo = (): Promise<string> => world.call("x", "echo", { text: "é😀" });

describe("a server that does not start", () => {
  it("is failed with exit code and last line, or at its startup time, and holds up nobody", async () => {
    const exits = {
      exit: ["exited with code 3 before it was ready", "boom: missing API key"],
      "exit-quietly": ["exited with code 0 before it was ready", undefined],
      "exit-on-initialize": ["exited with code 4 before it was ready", "I do not speak this"],
      "no-such-mode": ["exited with code 2 before it was ready", expect.stringContaining("unknown mode")],
    } as const;
    // The time is long enough that a server which says its last word before it hangs has said it.
    const hangs = ["silent", "list-hangs"];
    world = new World([
      ...Object.keys(exits).map((mode) => fixtureServer(mode, ["misbehaving.mjs", mode])),
      ...hangs.map((mode) => fixtureServer(mode, ["misbehaving.mjs", mode], { startupTimeoutSec: 3 })),
      fixtureServer("slow", ["misbehaving.mjs", "slow-start", "300"], { startupTimeoutSec: 60 }),
    ]);
    world.mcp.start();
    await world.until("slow", "ready");
    expect(await world.call("slow", "echo", { text: "up" })).toBe("up");
    expect((await world.mcp.settled(60_000)).notReady).toEqual([...Object.keys(exits), ...hangs]);
    for (const [mode, [error, stderr]] of Object.entries(exits)) {
      expect(world.row(mode)).toMatchObject({ state: "failed", error });
      expect(world.row(mode).stderr).toEqual(stderr);
      await expect(world.call(mode, "echo")).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining(error),
      });
      expect(world.events).toContainEqual(
        expect.objectContaining({
          type: "McpServerFailed",
          name: mode,
          code: "exited",
          stderr: stderr ?? "",
        }),
      );
    }
    for (const mode of hangs) {
      const stderr = "waiting for a login";
      const error = "did not become ready within 3 s";
      expect(world.row(mode)).toMatchObject({ state: "failed", error, stderr });
      expect(world.events).toContainEqual(
        expect.objectContaining({ type: "McpServerFailed", name: mode, code: "timeout", stderr }),
      );
    }
  });
});

describe("a server that talks strangely", () => {
  it("works all the same", async () => {
    const modes = [
      "bom",
      "crlf",
      "one-byte",
      "stderr-flood",
      "text-ids",
      "old-protocol",
      "cursor-null",
      "cursor-repeats",
    ];
    world = new World(modes.map((mode) => fixtureServer(mode, ["misbehaving.mjs", mode])));
    expect(await world.start()).toEqual([]);
    for (const mode of modes) {
      expect(world.row(mode)).toMatchObject({ state: "ready", toolCount: 2 });
      expect(world.row(mode)).not.toHaveProperty("error");
      expect(await world.call(mode, "echo", { text: "é😀" })).toBe("é😀");
    }
    // All of standard error is in the log.
    const flood = world.mcp.logs("stderr-flood").filter((line) => line.startsWith("eee"));
    expect(flood).toHaveLength(400);
  });
  it("garbage on standard output is reported and skipped", async () => {
    await start("garbage");
    expect(await world.call("x", "noisy", { text: "a" })).toBe("a");
    const lines = world.mcp.logs("x").filter((line) => line.includes("skipped a line"));
    expect(lines.map((line) => line.replace(/^.*?: /, ""))).toEqual([
      "starting up…",
      '{"level":30,"msg":"listening"}',
      "42",
      "DEBUG called",
    ]);
  });
});

describe("a server that lists strange tools", () => {
  it("loses the bad ones alone, and says which", async () => {
    await start("bad-schemas");
    expect(world.row("x").tools).toEqual(["echo", "pid", "bare", "odd-output", "refs"]);
    expect(world.tools.get("mcp__x__bare")?.inputSchema).toEqual({ type: "object", properties: {} });
    expect(world.tools.get("mcp__x__refs")?.inputSchema).toHaveProperty("$defs");
    expect(await world.call("x", "odd-output", { text: "a" })).toBe("a");
    const messages = world.mcp.diagnostics().map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringContaining("tool bare: no inputSchema"),
      expect.stringContaining("left out tool text"),
      expect.stringContaining("without a name"),
    ]);
  });
  it("offers every dialect, and what it says of its output costs nothing", async () => {
    await start("dialects");
    const names = world.row("x").tools;
    expect(names).toHaveLength(12);
    expect(world.mcp.diagnostics()).toEqual([]);
    for (const name of names.filter((one) => one !== "pid")) {
      const tool = world.tools.get(`mcp__x__${name}`);
      expect(tool && prepareInput(tool, { text: name })).toEqual({ text: name });
      expect(await world.call("x", name, { text: name })).toBe(name);
    }
  });
  it("of 150 tools, offers all", async () => {
    await start("many-tools");
    expect(world.row("x").toolCount).toBe(152);
    expect(await world.call("x", "tool-149")).toBe("149");
  });
  it("pages, duplicates and long names", async () => {
    await start("pages");
    expect(world.row("x").tools).toEqual(["tool-0", "tool-1", "tool-2"]);
    await world.end();
    await start("duplicates");
    expect(world.row("x").tools).toEqual(["echo", "pid"]);
    await world.end();
    await start("long-names");
    const [first = "", second = ""] = world.row("x").tools.slice(2);
    expect([await world.call("x", first), await world.call("x", second)]).toEqual(["1", "2"]);
    expect(world.tools.size).toBe(4);
    for (const name of world.tools.keys()) expect(name.length).toBeLessThanOrEqual(63);
  });
  it("offers what it adds later", async () => {
    await start("grows");
    const changed = new Promise<void>((resolve) => {
      const dispose = world.mcp.onTools.on(() => {
        void dispose();
        resolve();
      });
    });
    await world.call("x", "grow");
    await changed;
    expect(world.row("x").tools).toEqual(["echo", "pid", "grow", "grown"]);
    expect(await world.call("x", "grown", { text: "new" })).toBe("new");
    expect(world.tools.has("mcp__x__grown")).toBe(true);
  });
});

describe("a server that answers strangely", () => {
  it("shows what it said", async () => {
    await start("results");
    const call = (tool: string): Promise<string> => world.call("x", tool);
    expect(await call("video")).toBe('{"type":"video","url":"u"}\n{"type":"text","text":null}');
    expect(await call("structured")).toBe('{"n":1}');
    expect(await call("no-structured")).toBe("plain");
    expect(await call("nothing")).toBe("{}");
    expect(await call("huge")).toHaveLength(12_000_000);
    const refused = await world.mcp.call("x", "refuse", {}, {}, new AbortController().signal);
    expect(refused).toEqual({
      content: [{ type: "text", text: expect.stringContaining("MCP error -32603: Error: no such thing") }],
      isError: true,
    });
    expect(world.row("x").state).toBe("ready");
  });
});

describe("a server that ends", () => {
  it("mid-call: all its calls fail at once with its last line, later ones too", async () => {
    await start("dies");
    const hanging = world.call("x", "hang");
    const dying = world.call("x", "die");
    const gone = { code: "unavailable", message: expect.stringContaining("Traceback: out of memory") };
    await expect(dying).rejects.toMatchObject(gone);
    await expect(hanging).rejects.toMatchObject(gone);
    expect(world.row("x")).toMatchObject({
      state: "exited",
      error: "exited with code 7",
      stderr: "Traceback: out of memory",
    });
    await expect(echo()).rejects.toMatchObject(gone);
    expect(world.events.at(-1)).toMatchObject({
      type: "McpServerFailed",
      code: "exited",
      reason: "exited with code 7",
    });
    await world.mcp.restartServer("x");
    expect(await echo()).toBe("é😀");
  });
  it("killed from outside", async () => {
    await start("well");
    process.kill(Number(await world.call("x", "pid")), "SIGKILL");
    expect(await world.until("x", "exited")).toMatchObject({ error: "was ended by SIGKILL" });
  });
  it("that closes its output or its input is ended", async () => {
    await start("dies");
    await expect(world.call("x", "close-output")).rejects.toMatchObject({ code: "unavailable" });
    expect(world.row("x").state).toBe("exited");
    await world.mcp.restartServer("x");
    await world.call("x", "close-input");
    await expect(echo()).rejects.toMatchObject({ code: "unavailable" });
    expect(world.row("x").error).toMatch(/closed its standard input|exited/);
  });
});

describe("a server that ends as it should", () => {
  it("gets the chance to save what it has", async () => {
    await start("says-goodbye", {}, "saved");
    await world.mcp.stopServer("x");
    expect(fs.readFileSync(path.join(world.folder, "saved"), "utf8")).toBe("saved");
  });
});
