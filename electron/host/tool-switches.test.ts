import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost, type Host } from "./host.ts";
import { fixture } from "./mcp/mcp.testkit.ts";

let world: World;
const hosts: Host[] = [];
beforeEach(() => {
  world = createWorld();
  const file = path.join(world.top, "tools.json");
  const tool = (name: string): object => ({ name, inputSchema: { type: "object" } });
  fs.writeFileSync(file, JSON.stringify([tool("one/of: them"), tool("other")]));
  const server = { command: process.execPath, args: [fixture("changing.mjs"), file] };
  world.write("config/mcp.json", JSON.stringify({ mcpServers: { s: server } }));
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
  world.remove();
});
async function open(shell: "cli" | "desktop"): Promise<Host> {
  const host = await createHost({
    workspace: world.workspace,
    env: {},
    paths: world.paths,
    version: "1.2.3",
    shell,
    canAsk: false,
    built: world.top,
  });
  hosts.push(host);
  await host.start();
  await host.settled(20_000);
  return host;
}
const states = (host: Host): string[] => host.mcp.details("s").tools.map(({ state }) => state);

test("a tool that is switched off in one window is off in another that is open, and after a restart", async () => {
  const [first, second] = await Promise.all([open("desktop"), open("desktop")]);
  const told = new Promise<void>((resolve) => second.mcp.onTools.on(() => resolve()));
  const { switchId = "" } = first.mcp.details("s").tools[0] ?? {};
  await first.setSwitch(switchId, false);
  expect(states(first)).toEqual(["off", "on"]);
  expect(first.toolRows().filter(({ origin }) => origin === "mcp s")).toHaveLength(1);
  await told;
  expect(states(second)).toEqual(["off", "on"]);
  expect(states(await open("cli"))).toEqual(["off", "on"]);
});
