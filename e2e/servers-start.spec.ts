import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { connectTo } from "./support/host-socket.ts";
import { leftovers } from "./support/leftovers.ts";
import { startServe } from "./support/shells.ts";
import { createWorld, root, type World } from "./support/world.ts";

let world: World;
test.afterEach(() => world.stop());

/** Eight servers of the user's that get ready when `together` of them have been started. */
function declareEight(together: number): void {
  const program = path.join(root, "e2e/fixtures/mcp-servers/together.mjs");
  const args = [program, path.join(world.folder, "started"), String(together)];
  const server = { command: process.execPath, args };
  const names = Array.from({ length: 8 }, (_, index) => `one-${index}`);
  writeFileSync(
    path.join(world.config, "mcp.json"),
    JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, server])) }),
  );
}

test("eight servers start at once, and a headless run has the tools of all in its first request", async () => {
  world = await createWorld({ steps: [{ text: "hello" }] });
  declareEight(8);
  const child = spawn(process.execPath, [path.join(root, "bin/nacre.cjs"), "run", "hello"], {
    cwd: world.workspace,
    env: world.env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  const offered = world.model.requests[0]?.tools?.map((tool) => tool.function.name) ?? [];
  expect(offered.filter((name) => /^mcp__one-\d__echo$/.test(name))).toHaveLength(8);
  expect(leftovers(world)).toEqual([]);
});

test("the window's first turn does not wait for servers that never get ready", async () => {
  world = await createWorld({ steps: [{ text: "hello" }] });
  declareEight(9);
  const served = await startServe(world);
  const socket = await connectTo(served.url);
  const session = await socket.call("chat.create", {});
  await socket.call("chat.send", { sessionId: session["id"], text: "hello" });
  await expect.poll(() => world.model.requests.length).toBe(1);
  const offered = world.model.requests[0]?.tools?.map((tool) => tool.function.name) ?? [];
  expect(offered.filter((name) => name.startsWith("mcp__one-"))).toEqual([]);
  socket.close();
  await served.stop();
  expect(leftovers(world)).toEqual([]);
});
