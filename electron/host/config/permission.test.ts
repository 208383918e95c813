import { describe, expect, test } from "vitest";
import { Members } from "./members.ts";
import { parsePattern, parsePermission } from "./permission.ts";

describe("reading", () => {
  const read = (raw: unknown) => parsePermission(raw, "settings", true);
  test("an answer, a map, a map of maps; the order is the file's", () => {
    expect(read("ask").rules.map((rule) => [rule.tool, rule.pattern, rule.answer])).toEqual([
      ["*", "*", "ask"],
    ]);
    const { rules: list } = read({ skill: { "*": "allow", x: "deny" }, run_shell: "deny" });
    expect(list.map((rule) => [rule.tool, rule.pattern, rule.answer])).toEqual([
      ["skill", "*", "allow"],
      ["skill", "x", "deny"],
      ["run_shell", "*", "deny"],
    ]);
    expect(read(undefined)).toEqual({ rules: [], diagnostics: [] });
    expect(read(new Members([["skill", new Members([["3000", "deny"]])]])).rules).toMatchObject([
      { pattern: "3000" },
    ]);
  });
  test("a pattern that is too long allows nothing, and denies or asks about everything", () => {
    const long = `*${"a".repeat(1_000)}`;
    const { rules: list, diagnostics } = read({
      x: { [long]: "allow", b: "allow" },
      y: { [long]: "deny" },
      [long]: "ask",
      z: { ["a".repeat(1_001)]: "allow", [long.slice(0, 1_000)]: "allow" },
    });
    expect(list.map((rule) => [rule.tool, rule.pattern.length, rule.answer])).toEqual([
      ["x", 1, "allow"],
      ["y", 1, "deny"],
      ["*", 1, "ask"],
      ["z", 1_001, "allow"],
      ["z", 1_000, "allow"],
    ]);
    expect(diagnostics.map(({ code, message }) => [code, message.split(": ").at(-1)])).toEqual([
      ["permission-too-long", "a pattern of 1001 characters; it is dropped"],
      ["permission-too-long", 'a pattern of 1001 characters; "deny" counts for everything'],
      ["permission-too-long", 'a pattern of 1001 characters; "ask" counts for everything'],
    ]);
  });
  test("what is no answer counts as ask and is told", () => {
    const { rules: list, diagnostics } = read({ a: "yes", b: { c: true }, d: null });
    expect(list.map(({ answer }) => answer)).toEqual(["ask", "ask", "ask"]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'permission a: "yes" is no answer for *; it counts as "ask"',
      'permission b: true is no answer for c; it counts as "ask"',
      'permission d: null is no answer for *; it counts as "ask"',
    ]);
  });
});

test.each([
  ["mcp__git__*", { tool: "mcp__git__*", pattern: "*" }],
  ["run_shell:git status*", { tool: "run_shell", pattern: "git status*" }],
  ["skill:jira:find", { tool: "skill", pattern: "jira:find" }],
])("the pattern %s", (text, parts) => {
  expect(parsePattern(text)).toEqual(parts);
});
