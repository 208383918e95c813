import { expect, test } from "vitest";
import type { RuleRow } from "../../shared/workspace.ts";
import { ruleGroups, sourceOf } from "./rule-groups.ts";

const rule = (source: string, tool = "run_shell", role?: string): RuleRow => ({
  tool,
  pattern: "*",
  answer: "ask",
  source,
  trusted: true,
  ...(role === undefined ? {} : { role }),
});

test.each([
  ["settings", "settings", ""],
  ["dropstone:C:\\p\\dropstone.json", "dropstone", "C:\\p\\dropstone.json"],
  ["role:reader", "role", "reader"],
  ["always", "always", ""],
  ["allow", "allow", ""],
])("%s", (source, kind, detail) => expect(sourceOf({ source })).toEqual({ kind, detail, role: null }));

test("rules keep their order: a place that comes again is a group of its own", () => {
  const rules = [rule("settings", "a"), rule("settings", "b"), rule("dropstone:/x"), rule("settings", "c")];
  const groups = ruleGroups(rules, "").map((group) => group.rules.map(({ tool }) => tool));
  expect(groups).toEqual([["a", "b"], ["run_shell"], ["c"]]);
});

test("a role's rules stand apart from the file's own, though they stand in the same file", () => {
  const groups = ruleGroups([rule("settings"), rule("settings", "a", "reader")], "");
  expect(groups.map(({ role }) => role)).toEqual([null, "reader"]);
});

test("a search looks at rule and place, without case", () => {
  const rules = [rule("settings", "Alpha"), rule("dropstone:/data/x.json", "beta")];
  expect(ruleGroups(rules, " ALPHA ")).toHaveLength(1);
  expect(ruleGroups(rules, "/data/")[0]?.rules[0]?.tool).toBe("beta");
  expect(ruleGroups(rules, "gamma")).toEqual([]);
});
