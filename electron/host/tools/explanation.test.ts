import { afterEach, beforeEach, expect, test } from "vitest";
import { type Bench, createBench, policyOf, spyTool } from "./tools.testkit.ts";
import type { Touches } from "./types.ts";

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.stop());
function partsOf(touches: Touches): readonly string[] {
  bench.registry.add(
    spyTool({ name: "runner", title: "runner", perm: "shell", touches: () => touches }).tool,
  );
  const caller = { kind: "user" as const, sessionId: null, role: null, canAsk: false, policy: policyOf() };
  return bench.executor.explain("runner", {}, caller).parts;
}

test("a command is told in the parts that rules have to allow", () => {
  expect(partsOf({ command: "git status && git push" })).toEqual(["git status", "git push"]);
});
test("a command in another shell's language is not taken apart", () => {
  const command = "Get-Item a; Remove-Item b";
  expect(partsOf({ command, commandIsOpaque: true })).toEqual([command]);
});
test("no part is told of a command that could not be read whole", () => {
  const command = "git status && $(pick)";
  expect(partsOf({ command })).toEqual([command]);
});
test("what runs no command has no parts", () => expect(partsOf({})).toEqual([]));
test("what gave a tool its class is told", () => {
  const permFrom = "autoApprove of /ws/.agent/mcp.json";
  bench.registry.add({ ...spyTool({ name: "reader", title: "reader", perm: "read" }).tool, permFrom });
  const caller = { kind: "user" as const, sessionId: null, role: null, canAsk: false, policy: policyOf() };
  expect(bench.executor.explain("reader", {}, caller)).toMatchObject({
    by: "policy",
    perm: "read",
    permFrom,
  });
});
