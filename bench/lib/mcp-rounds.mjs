// Calls through the manager beside the bare client library, one server each, in one process, as in an app that runs:
// node bench/lib/mcp-rounds.mjs ROOM FOLDER ROUNDS CALLS. Prints ms a round, wall and CPU of this process. In two rounds
// before the first that counts the engine learns both sides alike. The sides take turns, a hundred calls each, so that what
// else runs on the machine falls on both.
import { createRequire } from "node:module";
import path from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createManager } from "./mcp-manager.mjs";

const [room = "", folder = "", rounds = "9", calls = "1000"] = process.argv.slice(2);
const learning = 2;
const block = 100;
const manifest = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/server-everything/package.json",
);
const server = { command: process.execPath, args: [path.join(path.dirname(manifest), "dist/index.js")] };

const manager = createManager(room, folder, { everything: server });
manager.start();
const { notReady } = await manager.settled(60_000);
if (notReady.length > 0) throw new Error("the server did not start");
const client = new Client({ name: "bench", version: "1" });
await client.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
const turn = new AbortController();
/** @type {Record<"floor" | "nacre", () => Promise<{content: object[]}>>} */
const sides = {
  floor: () => client.callTool({ name: "echo", arguments: { message: "hello" } }),
  nacre: () => manager.call("everything", "echo", { message: "hello" }, {}, turn.signal),
};
/** @param {() => Promise<{content: object[]}>} call */
async function time(call) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  for (let i = 0; i < block; i++) {
    const { content } = await call();
    const [first] = /** @type {{text?: string}[]} */ (content);
    if (first?.text !== "Echo: hello") throw new Error(`the server answered ${JSON.stringify(content)}`);
  }
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { wall, cpu: (user + system) / 1000 };
}
/** @type {Record<"floor" | "nacre", {wall: number, cpu: number}[]>} */
const figures = { floor: [], nacre: [] };
for (let round = -learning; round < Number(rounds); round++) {
  const sums = { floor: { wall: 0, cpu: 0 }, nacre: { wall: 0, cpu: 0 } };
  for (let done = 0; done < Number(calls); done += block)
    for (const name of /** @type {("floor" | "nacre")[]} */ (["floor", "nacre"])) {
      const { wall, cpu } = await time(sides[name]);
      sums[name].wall += wall;
      sums[name].cpu += cpu;
    }
  if (round < 0) continue;
  figures.floor.push(sums.floor);
  figures.nacre.push(sums.nacre);
}
await client.close();
await manager.stop();
console.log(JSON.stringify(figures));
