import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../policy/sandbox.ts";
import { type Bench, createBench, noSandbox, policyOf, spyTool } from "./tools.testkit.ts";
import type { CallPolicy, Tool, ToolRun } from "./types.ts";

let bench: Bench;
const open = (more: Parameters<typeof createBench>[0] = {}): void => {
  bench = createBench(more);
};
beforeEach(() => open());
afterEach(() => bench.stop());

describe("careful after outside text", () => {
  const always = [
    { tool: "sender", pattern: "*", answer: "allow", source: "always", trusted: true },
  ] as const;
  const settings = [{ ...always[0], source: "settings" }] as const;
  const call = (more: Parameters<Bench["call"]>[2]) => bench.call("sender", {}, more);
  beforeEach(() => {
    bench.registry.add(spyTool({ name: "sender", title: "sender", perm: "net" }).tool);
  });

  it("a remembered answer asks once more, and the question says why", async () => {
    const policy = { rules: always };
    expect(await call({ policy })).toMatchObject({ decision: "asked_allow", by: "always sender:*" });
    const asked = call({ policy, outsideText: true, caller: { canAsk: true } });
    const view = await bench.answer({ choice: "once" });
    expect(view.because).toContainEqual({ code: "outside_text" });
    expect((await asked).isError).toBe(false);
    const headless = await call({ policy, outsideText: true });
    expect(headless).toMatchObject({ decision: "deny" });
    expect(headless.output).toContain("text from outside");
  });
  it("off, a remembered answer holds", async () => {
    const policy = { rules: always, carefulAfterOutsideText: false };
    expect(await call({ policy, outsideText: true })).toMatchObject({ decision: "asked_allow" });
  });
  it("rules in settings and --allow are no remembered answers and hold", async () => {
    expect(await call({ policy: { rules: settings }, outsideText: true })).toMatchObject({
      decision: "allow",
    });
    expect(await call({ policy: { allow: ["sender"] }, outsideText: true })).toMatchObject({
      decision: "asked_allow",
      by: "--allow sender",
    });
  });
  it("explain says it too", () => {
    const caller = {
      kind: "user",
      sessionId: null,
      role: null,
      canAsk: true,
      policy: policyOf({ rules: always }),
    } as const;
    expect(bench.executor.explain("sender", {}, caller).decision).toBe("allow");
    expect(bench.executor.explain("sender", {}, caller, true)).toMatchObject({
      decision: "ask",
      by: "policy",
      because: [{ code: "network" }, { code: "outside_text" }],
    });
  });
  it("a tool is told of it, so that a sub-agent counts it from its first call on", async () => {
    const seen: (boolean | undefined)[] = [];
    const run = (_input: unknown, { outsideText }: ToolRun): ReturnType<Tool["run"]> => {
      seen.push(outsideText);
      return Promise.resolve({ output: "", isError: false, sandboxed: null });
    };
    bench.registry.add(spyTool({ name: "looker", title: "looker", run }).tool);
    await bench.call("looker", {}, { outsideText: true });
    await bench.call("looker", {});
    expect(seen).toEqual([true, false]);
  });
});

describe("the network of a confined tool", () => {
  const works: Sandbox = { ...noSandbox, kind: "bubblewrap" };
  const networks = async (tool: Partial<Tool>, policy: Partial<CallPolicy>): Promise<unknown> => {
    let seen: unknown = "it did not run";
    const run: Tool["run"] = (_input, { confinement }) => {
      seen = confinement?.network;
      return Promise.resolve({ output: "", isError: false, sandboxed: true });
    };
    await bench.stop();
    open({ sandbox: works });
    bench.registry.add(
      spyTool({ name: "runner", title: "runner", perm: "shell", confinable: true, ...tool, run }).tool,
    );
    await bench.call("runner", {}, { policy });
    return seen;
  };
  it.each([
    ["an exec tool keeps it", true, {}, true],
    ["an exec tool loses it where sandbox.pluginNetwork is off", true, { pluginNetwork: false }, false],
    ["an exec tool keeps it with network_access", true, { pluginNetwork: false, networkAccess: true }, true],
    ["run_shell has none", false, {}, false],
    ["run_shell has it with network_access", false, { networkAccess: true }, true],
  ])("%s", async (_name, keepsNetwork, policy, expected) => {
    expect(await networks({ keepsNetwork }, policy)).toBe(expected);
  });
});
