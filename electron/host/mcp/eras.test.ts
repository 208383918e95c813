import { afterEach, describe, expect, it } from "vitest";
import { fixtureServer, World } from "./mcp.testkit.ts";

// Servers over stdio that speak 2026-07-28 alone, and those that refuse every handshake.
let world: World;
afterEach(async () => {
  expect(await world.end()).toEqual([]);
});
const modes = ["method", "version", "params", "exits", "no-listen"];

describe("a server of 2026-07-28 over stdio", () => {
  it("is found, lists, answers and tells what changes, however it refuses initialize", async () => {
    world = new World(modes.map((mode) => fixtureServer(mode, ["modern.mjs", mode])));
    expect(await world.start()).toEqual([]);
    for (const mode of modes) {
      expect(world.row(mode)).toMatchObject({ state: "ready", tools: ["echo", "grow"] });
      expect(world.mcp.details(mode)).toMatchObject({
        protocol: "2026-07-28",
        title: "modern",
        instructions: "Speak plainly.",
      });
      expect(await world.call(mode, "echo", { text: "é😀" })).toBe("é😀");
    }
    const grown = world.nextTools();
    await world.call("method", "grow");
    await grown;
    expect(world.row("method").tools).toEqual(["echo", "grow", "grown"]);
    await world.mcp.restartServer("exits");
    expect(world.row("exits").state).toBe("ready");
  });
  it("that does not answer ends at its startup time", async () => {
    world = new World([fixtureServer("x", ["modern.mjs", "silent-after"], { startupTimeoutSec: 1 })]);
    await world.start();
    expect(world.row("x")).toMatchObject({ state: "failed" });
    expect(world.row("x").error).toMatch(/did not become ready within 1 s|timed out/);
  });
});
it("a server that refuses every handshake is failed with both answers", async () => {
  world = new World([fixtureServer("x", ["misbehaving.mjs", "refuses-initialize"])]);
  await world.start();
  expect(world.row("x")).toMatchObject({
    state: "failed",
    error: expect.stringMatching(
      /refused initialize \(.*Invalid params.*\), and server\/discover did not work/,
    ),
  });
});
