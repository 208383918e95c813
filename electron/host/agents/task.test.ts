import { expect, test } from "vitest";
import { NacreError } from "../../../shared/errors.ts";
import { modelCaller, policyOf } from "../tools/tools.testkit.ts";
import type { Caller, Tool, ToolOutput } from "../tools/types.ts";
import type { Role } from "./role.ts";
import { createTaskTool, type AgentRun } from "./task.ts";

const role = (name: string, readonly: boolean, description = `Does ${name}.`): Role => ({
  id: `agent:bundled/${name}`,
  source: "bundled",
  inWorkspace: false,
  diagnostics: [],
  name,
  description,
  readonly,
  tools: { allow: null, deny: [] },
  skills: [],
  prompt: "",
});
const all = [
  role("explore", true),
  role("general", false, "Works\n on  anything."),
  role("wordy", true, "😀".repeat(400)),
];
const roles = {
  list: () => all,
  get(name: string): Role {
    const found = all.find((one) => one.name === name);
    if (!found) throw new NacreError("not_found", `there is no role "${name}"; there are explore, general`);
    return found;
  },
};
const runs: AgentRun[] = [];
const tool = createTaskTool({
  roles,
  runAgent: async (run, signal) => {
    runs.push(run);
    run.onOutput("read_file a.ts\n");
    signal.throwIfAborted();
    return { report: `report of ${run.role.name}`, isError: run.prompt === "fail" };
  },
});
const call = (
  made: Tool,
  input: object,
  caller: Partial<Caller> = {},
  signal = new AbortController().signal,
): Promise<ToolOutput> =>
  made.run(
    { ...input },
    {
      callId: "call-7",
      workspace: "/w",
      sessionId: "s",
      confinement: null,
      caller: { kind: "model", sessionId: "s", role: null, canAsk: true, policy: policyOf(), ...caller },
      onOutput: (text) => heard.push(text),
      signal,
    },
  );
const heard: string[] = [];

test("its description lists the roles, one line each, cut at a character", () => {
  expect(tool.description).toContain("\n- explore: Does explore.\n- general: Works on anything.\n");
  expect(tool.description).toContain(`- wordy: ${"😀".repeat(299)}…`);
});
test("runs the role that is named, general where none is, with the call it belongs to", async () => {
  runs.length = 0;
  expect(await call(tool, { description: "look", prompt: "find x", agent: "explore" })).toEqual({
    output: "report of explore",
    isError: false,
    sandboxed: null,
  });
  expect(await call(tool, { description: "do", prompt: "fail" })).toMatchObject({
    output: "report of general",
    isError: true,
  });
  expect(runs).toMatchObject([
    {
      role: { name: "explore" },
      description: "look",
      prompt: "find x",
      parentCallId: "call-7",
      caller: { sessionId: "s" },
    },
    { role: { name: "general" } },
  ]);
  expect(heard).toContain("read_file a.ts\n");
});
test("only runs of read-only roles go beside each other", () => {
  expect(tool).toMatchObject({ name: "task", perm: "read" });
  expect(tool.parallel?.({ agent: "explore" })).toBe(true);
  expect(tool.parallel?.({ agent: "general" })).toBe(false);
  expect(tool.parallel?.({})).toBe(false);
});
test("an unknown role names those there are; a sub-agent starts no other", async () => {
  await expect(call(tool, { description: "d", prompt: "p", agent: "nobody" })).rejects.toThrow(
    "there are explore, general",
  );
  await expect(call(tool, { description: "d", prompt: "p" }, { kind: "agent" })).rejects.toMatchObject({
    code: "denied",
  });
});
test("a stop ends it with the stop's reason", async () => {
  const reason = new Error("stopped");
  await expect(call(tool, { description: "d", prompt: "p" }, {}, AbortSignal.abort(reason))).rejects.toBe(
    reason,
  );
});
test("rules match the role's name", () => {
  expect(tool.touches?.({ agent: "explore" }, modelCaller())).toEqual({ names: ["explore"] });
  expect(tool.touches?.({}, modelCaller())).toEqual({ names: ["general"] });
});
