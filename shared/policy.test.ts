import { expect, test } from "vitest";
import { ruleText } from "./policy.ts";

test("a rule for every call is its tool alone", () => {
  expect(ruleText({ tool: "fetch_url", pattern: "*" })).toBe("fetch_url");
  expect(ruleText({ tool: "run_shell", pattern: "git *" })).toBe("run_shell:git *");
});
