import { describe, expect, test } from "vitest";
import { approvalPolicies, sandboxPolicies } from "../../../shared/policy.ts";
import { decide } from "./gate.ts";
import { answerTable, sampleInput, verdictTable } from "./gate-tables.testkit.ts";

describe("every cell of spec 4's two tables", () => {
  for (const [name, touch, ...verdicts] of verdictTable)
    for (const [column, sandbox] of sandboxPolicies.entries())
      for (const approval of approvalPolicies) {
        const verdict = verdicts[column];
        if (verdict === undefined) throw new Error("a table of three columns");
        const input = { ...sampleInput, ...touch };
        const policy = { ...input.policy, approval, sandbox };
        const onlyReads = input.perm === "read" && input.paths.every(({ access }) => access === "read");
        const answer =
          approval === "always" && verdict === "ok" && onlyReads ? "allow" : answerTable[approval][verdict];
        test(`${name}; ${sandbox}, ${approval}: ${verdict}, ${answer}`, () => {
          expect(decide({ ...input, policy }).answer).toBe(answer);
        });
        test(`${name}; ${sandbox}, ${approval}: headless ${answer === "allow" ? "allow" : "deny"}`, () => {
          const headless = decide({ ...input, policy, canAsk: false });
          expect(headless.answer).toBe(answer === "allow" ? "allow" : "deny");
        });
      }
  test("the columns are those of the settings", () => {
    expect(sandboxPolicies).toEqual(["read_only", "workspace_write", "full_access"]);
  });
});
