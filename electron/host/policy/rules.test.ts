import { describe, expect, test } from "vitest";
import type { Rule } from "../config/permission.ts";
import { matchPattern } from "./match-pattern.ts";
import { allowRules, lastMatch, rulesAnswer } from "./rules.ts";

const rules = (...lines: string[]): Rule[] =>
  lines.map((line) => {
    const [tool = "", pattern = "", answer = "", mark] = line.split(" | ");
    if (answer !== "allow" && answer !== "ask" && answer !== "deny") throw new Error(line);
    return { tool, pattern, answer, source: "settings", trusted: mark !== "untrusted" };
  });

test.each([
  ["*", "", true],
  ["*", "a/b\nc", true],
  ["internal-*", "internal-docs", true],
  ["internal-*", "internal", false],
  ["docs/**", "docs/a/b.md", true],
  ["docs/**", "docs", false],
  ["*.example.com", "api.example.com", true],
  ["*.example.com", "example.com", false],
  ["*.example.com", "evil-example.com", false],
  ["git status*", "git status --short", true],
  ["git status*", "git stat", false],
  ["a?c", "abc", true],
  ["a?c", "a😀c", true],
  ["a?c", "ac", false],
  ["a*b*c", "a-b-b-c", true],
  ["a*b*c", "a-b-b", false],
  ["[ab]", "a", false],
  ["a.c", "abc", false],
  ["", "", true],
  ["", "a", false],
])("%j fits %j: %s", (pattern, text, fits) => {
  expect(matchPattern(pattern, text)).toBe(fits);
});

describe("the last match decides", () => {
  const skill = rules("skill | * | allow", "skill | internal-* | deny", "skill | internal-docs | ask");
  test.each([
    ["pdf", "allow"],
    ["internal-x", "deny"],
    ["internal-docs", "ask"],
  ])("%s → %s", (name, answer) => {
    expect(lastMatch(skill, ["skill"], [name])?.answer).toBe(answer);
  });
  test("a * that stands last swallows what came before", () => {
    const swallowed = rules("skill | x | deny", "skill | * | allow");
    expect(lastMatch(swallowed, ["skill"], ["x"])?.answer).toBe("allow");
  });
  test("any of a thing's names counts: a plugin's skill has two", () => {
    expect(lastMatch(rules("skill | jira:* | deny"), ["skill"], ["jira:find", "find"])?.answer).toBe("deny");
  });
  test("tool patterns, titles and other systems' names count, in any case", () => {
    const names = ["run_shell", "shell.exec", "Bash"];
    expect(lastMatch(rules("bash | * | deny"), names, ["ls"])?.answer).toBe("deny");
    expect(lastMatch(rules("mcp.github.* | * | deny"), ["mcp__github__x", "mcp.github.x"], [])?.answer).toBe(
      "deny",
    );
    expect(lastMatch(rules("write_* | * | deny"), names, ["ls"])).toBeUndefined();
  });
  test("without arguments only a pattern for all of them fits", () => {
    expect(lastMatch(rules("x | * | ask"), ["x"], [])?.answer).toBe("ask");
    expect(lastMatch(rules("x | a* | ask"), ["x"], [])).toBeUndefined();
  });
});

describe("a rule of an untrusted workspace only narrows", () => {
  test.each([
    [["skill | * | allow | untrusted"], undefined],
    [["skill | * | deny", "skill | * | allow | untrusted"], "deny"],
    [["skill | * | deny", "skill | * | ask | untrusted"], "deny"],
    [["skill | * | allow", "skill | * | ask | untrusted"], "ask"],
    [["skill | * | allow", "skill | * | deny | untrusted"], "deny"],
    [["skill | * | deny | untrusted", "skill | * | ask | untrusted"], "deny"],
    [["skill | * | deny | untrusted", "skill | * | allow"], "deny"],
  ])("%j → %s", (lines, answer) => {
    expect(lastMatch(rules(...lines), ["skill"], ["x"])?.answer).toBe(answer);
  });
});

describe("several things at once", () => {
  const about = (...names: string[]) => names.map((name) => ({ names: [name] }));
  const list = rules("t | a* | allow", "t | b* | ask", "t | c* | deny");
  test.each([
    [["a1", "a2"], "allow"],
    [["a1", "x"], undefined],
    [["a1", "b"], "ask"],
    [["x", "b"], "ask"],
    [["a1", "b", "c"], "deny"],
    [["x", "c"], "deny"],
  ])("%j → %s", (names, answer) => {
    expect(rulesAnswer(list, { all: ["t"] }, about(...names))?.answer).toBe(answer);
  });
  test("hints count for deny and ask, never for allow", () => {
    const subject = [{ names: ["real"], hints: ["given"] }];
    expect(rulesAnswer(rules("t | given | deny"), { all: ["t"] }, subject)?.answer).toBe("deny");
    expect(rulesAnswer(rules("t | given | allow"), { all: ["t"] }, subject)).toBeUndefined();
  });
});

test("--allow covers a call when its patterns speak of all of it", () => {
  const both = [{ names: ["a"] }, { names: ["b"] }];
  const covers = (...patterns: string[]): boolean =>
    rulesAnswer(allowRules(patterns), { all: ["t"] }, both) !== undefined;
  expect(covers("t")).toBe(true);
  expect(covers("t:a")).toBe(false);
  expect(covers("t:a", "t:b")).toBe(true);
  expect(covers("u")).toBe(false);
});
