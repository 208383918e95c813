import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixtureServer, World } from "./mcp.testkit.ts";

// What a server sends without being asked is bounded: it neither fills the host's memory and disk nor holds its thread.
let world: World;
beforeAll(async () => {
  world = new World([
    fixtureServer("x", ["flooding.mjs"]),
    fixtureServer("huge", ["flooding.mjs", "huge"]),
    fixtureServer("small", ["small.mjs"]),
  ]);
  expect(await world.start()).toEqual([]);
});
afterAll(async () => {
  expect(await world.end()).toEqual([]);
});
/** Lets the server flood; gives how often its tools were listed, and what came as output. */
async function flood(what: string, count: number): Promise<{ listed: number; output: string[] }> {
  const output: string[] = [];
  const listed = await world.call("x", "flood", { what, count }, { onOutput: (line) => output.push(line) });
  return { listed: Number(listed), output };
}

describe("a server that floods", () => {
  it.each(["list-changed", "log-messages", "updates", "pings", "answers", "noise", "stderr"])(
    "%s: answers all the same, and others beside it",
    async (what) => {
      const flooding = flood(what, 3_000);
      expect(await world.call("small", "echo", { text: "meanwhile" })).toBe("meanwhile");
      await flooding;
      expect(await world.call("x", "echo", { text: "after" })).toBe("after");
      expect(world.row("x").state).toBe("ready");
    },
  );
  it("has its tools listed a few times, not each time that it says so", async () => {
    const before = (await flood("list-changed", 0)).listed;
    const { listed } = await flood("list-changed", 3_000);
    expect(listed - before).toBeLessThan(50);
  });
  it("has the first and the last of its progress shown, and some between", async () => {
    const { output } = await flood("progress", 3_000);
    expect(output[0]).toBe("step 0 (0)\n");
    expect(output.at(-1)).toBe("step 2999 (2999)\n");
    expect(output.length).toBeLessThan(500);
  });
  it("has some of its messages in the log, with the number of those left out", () => {
    const lines = world.mcp.logs("x");
    expect(lines.filter((line) => line.startsWith("[nacre]")).length).toBeLessThan(2000);
    expect(lines.some((line) => /^\[nacre\] \d+ more lines were left out/.test(line))).toBe(true);
    expect(lines.filter((line) => line.startsWith("stderr "))).toHaveLength(3_000);
  });
});

describe("a server that says too much", () => {
  it("is known by the beginning of what it says", () => {
    const { title, version, instructions, capabilities } = world.mcp.details("huge");
    expect([title.length, version.length, instructions.length]).toEqual([200, 200, 8000]);
    expect(capabilities.toSorted()).toEqual(["logging", "resources", "tools"]);
  });
  it("has as many tools as anybody could use, none of them without end", () => {
    const { toolCount, tools } = world.row("huge");
    expect(toolCount).toBe(1000);
    expect(tools).toContain("tool-0");
    expect(tools).not.toContain("tool-1");
    const first = world.tools.get("mcp__huge__tool-0");
    expect(first?.description.length).toBeLessThan(10_000);
    const said = world.mcp.diagnostics().map(({ message }) => message);
    expect(said.some((one) => one.includes("tool-1") && one.includes("too large"))).toBe(true);
    expect(said.some((one) => one.includes("more than 1000 tools"))).toBe(true);
    expect(said.every((one) => one.length < 1000)).toBe(true);
  });
});
