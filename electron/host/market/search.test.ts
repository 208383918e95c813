import { expect, test } from "vitest";
import { builtinEntries } from "./builtin.ts";
import { rank } from "./search.ts";

const entries = builtinEntries();
const ids = (query: string, kind?: "skill" | "plugin" | "mcp"): string[] =>
  rank(entries, query, kind).map(({ id }) => id);

test("an empty query gives everything, a kind only its own", () => {
  expect(ids("")).toHaveLength(entries.length);
  expect(ids("", "skill").sort()).toEqual(["changelog", "code-review", "commit-message"]);
  expect(ids("", "plugin")).toEqual([]);
});
test.each([
  ["memory", "memory"],
  ["MEM", "memory"],
  ["git", "git"],
  ["file system", "filesystem"],
  ["github", "github"],
  ["浏览器", "playwright"],
  ["ＰＤＦ", "pdf"],
  ["commit message", "commit-message"],
  ["release notes", "changelog"],
])("%s finds %s first", (query, id) => {
  expect(ids(query)[0]).toBe(id);
});
test("every word must fit", () => {
  expect(ids("memory nonsense")).toEqual([]);
});
