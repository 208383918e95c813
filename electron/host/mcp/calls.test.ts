import { afterEach, describe, expect, it } from "vitest";
import { fixtureServer, World } from "./mcp.testkit.ts";

let world: World;
afterEach(async () => {
  expect(await world.end()).toEqual([]);
});
async function start(config: Parameters<typeof fixtureServer>[2] = {}): Promise<void> {
  world = new World([fixtureServer("x", ["small.mjs"], config)]);
  await world.start();
}
/** Waits until the server said a line on standard error. */
async function heard(line: RegExp): Promise<string> {
  for (;;) {
    const found = world.mcp.logs("x").find((text) => line.test(text));
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("a tool call", () => {
  it("ends at its time limit, and the server hears of it", async () => {
    await start({ toolTimeoutSec: 0.2 });
    await expect(world.call("x", "slow", { ms: 60_000 })).rejects.toMatchObject({
      code: "timeout",
      message: expect.stringContaining("within 0.2 s"),
    });
    await heard(/^cancelled \d+: .*timed out/i);
    expect(await world.call("x", "echo", { text: "still there" })).toBe("still there");
  });
  it("ends with the signal's reason, and the server hears of it", async () => {
    await start();
    const stop = new AbortController();
    const call = world.call("x", "slow", { ms: 60_000 }, {}, stop.signal);
    await heard(/^slow \d+ began/);
    stop.abort(new Error("the person stopped it"));
    await expect(call).rejects.toThrow("the person stopped it");
    await heard(/^cancelled \d+: .*the person stopped it/);
    await expect(world.call("x", "echo", {}, {}, AbortSignal.abort(new Error("before")))).rejects.toThrow(
      "before",
    );
    expect(world.row("x").state).toBe("ready");
  });
  it("goes on past its time limit while there is progress", async () => {
    await start({ toolTimeoutSec: 2 });
    const output: string[] = [];
    const text = await world.call(
      "x",
      "progress",
      { steps: 8, ms: 400 },
      { onOutput: (line) => output.push(line) },
    );
    expect(text).toBe("all steps done");
    expect(output).toEqual(Array.from({ length: 8 }, (_, n) => `step ${n + 1} (${n + 1}/8)\n`));
  });
  it("does not run out of time while a person is asked", async () => {
    const limit = 1;
    world = new World([fixtureServer("x", ["misbehaving.mjs", "asks"], { toolTimeoutSec: limit })], {
      ask: async () => {
        await new Promise((resolve) => setTimeout(resolve, 1.2 * limit * 1000));
        return { action: "accept", content: { name: "Ada" } };
      },
    });
    await world.start();
    expect(await world.call("x", "ask")).toBe('{"action":"accept","content":{"name":"Ada"}}');
  });
  it("fails as the tool says", async () => {
    await start();
    expect(await world.mcp.call("x", "fail", {}, {}, new AbortController().signal)).toEqual({
      content: [{ type: "text", text: "it did not work" }],
      isError: true,
    });
    expect(await world.mcp.call("x", "add", { a: 1, b: 2 }, {}, new AbortController().signal)).toMatchObject({
      structuredContent: { sum: 3 },
      isError: false,
    });
  });
  it("runs beside others and keeps answers apart", async () => {
    await start();
    const texts = Array.from({ length: 50 }, (_, n) => `text ${n}`);
    expect(await Promise.all(texts.map((text) => world.call("x", "echo", { text })))).toEqual(texts);
  });
  it("carries large answers", async () => {
    await start();
    expect(await world.call("x", "big", { bytes: 20_000_000 })).toHaveLength(20_000_000);
  });
  it("fails when its server is stopped under it", async () => {
    await start();
    const call = world.call("x", "slow", { ms: 60_000 });
    await heard(/^slow \d+ began/);
    const stopped = world.mcp.stopServer("x");
    await expect(call).rejects.toMatchObject({ code: "unavailable" });
    await stopped;
    await expect(world.call("x", "echo")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("is stopped"),
    });
  });
});
