import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../policy/sandbox.ts";
import { type Bench, createBench, noSandbox, policyOf, spyTool } from "./tools.testkit.ts";
import { newTurn, type CallPolicy, type Tool, type ToolRun } from "./types.ts";

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
    const asked = call({ policy, turn: newTurn(true), caller: { canAsk: true } });
    const view = await bench.answer({ choice: "once" });
    expect(view.because).toContainEqual({ code: "outside_text" });
    expect((await asked).isError).toBe(false);
    const headless = await call({ policy, turn: newTurn(true) });
    expect(headless).toMatchObject({ decision: "deny" });
    expect(headless.output).toContain("text from outside");
  });
  it("answered once more with this session or always it holds for the rest of the turn, and the next turn asks anew", async () => {
    const rules = [{ ...always[0], tool: "poster", pattern: "*" }];
    bench.registry.add(spyTool({ name: "poster", title: "poster", perm: "net" }).tool);
    const asks = { policy: { rules: [...always, ...rules] }, caller: { canAsk: true } };
    for (const choice of ["session", "always"] as const) {
      const turn = newTurn(true);
      const first = call({ ...asks, turn });
      expect((await bench.answer({ choice })).because).toContainEqual({ code: "outside_text" });
      expect((await first).by).toBe("user");
      expect(await call({ ...asks, turn })).toMatchObject({ decision: "asked_allow", isError: false });
      // Another rule was not said again, and the next turn begins anew.
      expect(await bench.call("poster", {}, { ...asks, caller: { canAsk: false }, turn })).toMatchObject({
        decision: "deny",
      });
      const next = call({ ...asks, turn: newTurn(true) });
      await bench.answer({ choice: "once" });
      await next;
    }
  });
  it("answered with once it asks again at the next call of the turn", async () => {
    const turn = newTurn(true);
    for (const _call of [1, 2]) {
      const asked = call({ policy: { rules: always }, caller: { canAsk: true }, turn });
      expect((await bench.answer({ choice: "once" })).because).toContainEqual({ code: "outside_text" });
      await asked;
    }
  });
  it("answered with this session before the text came it asks once more", async () => {
    const turn = newTurn();
    const first = call({ caller: { canAsk: true }, turn });
    await bench.answer({ choice: "session" });
    await first;
    turn.outsideText = true;
    expect(await call({ turn })).toMatchObject({ decision: "deny" });
  });
  it("off, a remembered answer holds", async () => {
    const policy = { rules: always, carefulAfterOutsideText: false };
    expect(await call({ policy, turn: newTurn(true) })).toMatchObject({ decision: "asked_allow" });
  });
  it("rules in settings and --allow are no remembered answers and hold", async () => {
    expect(await call({ policy: { rules: settings }, turn: newTurn(true) })).toMatchObject({
      decision: "allow",
    });
    expect(await call({ policy: { allow: ["sender"] }, turn: newTurn(true) })).toMatchObject({
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
    const run = (_input: unknown, { turn }: ToolRun): ReturnType<Tool["run"]> => {
      seen.push(turn?.outsideText);
      return Promise.resolve({ output: "", isError: false, sandboxed: null });
    };
    bench.registry.add(spyTool({ name: "looker", title: "looker", run }).tool);
    await bench.call("looker", {}, { turn: newTurn(true) });
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
