import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { hostRunName, killAllProcesses } from "../kit/process.ts";
import { isRunning, processesWith } from "../kit/process-table.ts";
import { fixtureServer, World } from "./mcp.testkit.ts";

// Whatever servers start and however they cling to life: measured in the process table, not by what they say.
let world: World;
afterEach(async () => {
  expect(await world.end()).toEqual([]);
});
const running = (): number[] => processesWith("NACRE_RUN_ID", hostRunName());
/** Servers that ignore the end of their input and TERM, or leave a process in the group, outside it, under nobody. */
const clinging = [
  "stubborn",
  "grandchild",
  "grandchild-away",
  ...(process.platform === "linux" ? ["daemon"] : []),
];
const declareAll = (round = 0) =>
  clinging.map((mode) =>
    fixtureServer(mode, ["misbehaving.mjs", mode, path.join(world.folder, mode)], {
      env: { ROUND: String(round) },
    }),
  );
/** The process that a server started, once it has noted it. */
async function grandchild(mode: string): Promise<number> {
  const file = path.join(world.folder, mode);
  const read = (): number => (fs.existsSync(file) ? Number(fs.readFileSync(file, "utf8")) : 0);
  await expect.poll(read, { timeout: 20_000 }).toBeGreaterThan(0);
  return read();
}

describe("no process is left", () => {
  it("by restarts, reloads and quitting, of servers that cling to life", async () => {
    world = new World([]);
    world.declarations = declareAll();
    expect(await world.start()).toEqual([]);
    const first = await Promise.all(clinging.slice(1).map(grandchild));
    expect(first.every(isRunning)).toBe(true);
    await Promise.all(clinging.map((mode) => world.mcp.restartServer(mode)));
    expect(first.filter(isRunning)).toEqual([]);
    // The servers, and what each but the first has started.
    await Promise.all(clinging.slice(1).map(grandchild));
    const before = running();
    world.declarations = declareAll(1);
    await world.mcp.reload();
    await world.mcp.settled(30_000);
    expect(before.filter(isRunning)).toEqual([]);
    await world.mcp.stop();
    expect(running()).toEqual([]);
  });
  it("by twenty restarts and a reload of ten servers", async () => {
    world = new World([]);
    const ten = (round: number) =>
      Array.from({ length: 10 }, (_, n) =>
        fixtureServer(`s${n}`, ["small.mjs"], { env: { ROUND: String(round) } }),
      );
    world.declarations = ten(0);
    await world.start();
    const names = world.declarations.map(({ name }) => name);
    for (let round = 0; round < 2; round++)
      await Promise.all(names.map((name) => world.mcp.restartServer(name)));
    const before = running();
    expect(before).toHaveLength(10);
    world.declarations = ten(1);
    await world.mcp.reload();
    await world.mcp.settled(30_000);
    expect(before.filter(isRunning)).toEqual([]);
    expect(running()).toHaveLength(10);
    await world.mcp.stop();
    expect(running()).toEqual([]);
  }, 60_000);
  it("when the app is killed at its end, in the middle of starting", async () => {
    world = new World([]);
    world.declarations = [...declareAll(), fixtureServer("silent", ["misbehaving.mjs", "silent"])];
    world.mcp.start();
    await Promise.all(clinging.slice(1).map(grandchild));
    killAllProcesses();
    await expect.poll(running, { timeout: 20_000 }).toEqual([]);
  });
});
