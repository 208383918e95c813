import { expect, test } from "vitest";
import { holdsPattern } from "./linear-pattern.ts";

const patterns = [
  "^[a-z0-9]+(-[a-z0-9]+)*$",
  "^v?\\d+\\.\\d+\\.\\d+$",
  "^\\d{4}-\\d{2}(-\\d{2})?$",
  "a|bc|^$",
  "^(?:x{2,3}|y{2,}|(?<n>z)?)$",
  "^.\\.\\w\\s?[^\\]a-c]*?$",
  "\\bcat\\b",
  "\\Bat",
  "^\\p{L}+$",
  "^(a*)*b$",
  "^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$",
  "",
  "$",
  "^/[^/]",
  "^-$",
  "\\u0041\\x42",
  "^(|a)+$",
];
const texts = [
  ..."|a|b|bc|aaab|-|a-b|a--b|v1.2.3|1.2|2026-11|2026-11-30|xx|xxx|xxxx|yyyyy|z|cat|a cat!|scatter|été|日本".split(
    "|",
  ),
  ..."me@host.io|me@|a.b d|a.b]|AB|/x|//|𝒳|a\nb".split("|"),
];
test.each(patterns)("%j holds in a text where the engine says so", (pattern) => {
  const own = texts.filter((text) => holdsPattern(pattern, text));
  expect(own).toEqual(texts.filter((text) => new RegExp(pattern, "u").test(text)));
});

test.each([
  "(?=a)",
  "(?<!a)b",
  "(a)\\1",
  "\\k<n>",
  "a(",
  "[z-a]",
  "a{2000}",
  "x".repeat(1_001),
  "*a",
  "a)",
  "\\",
])("%j is not answered", (pattern) => expect(holdsPattern(pattern, "aa")).toBeNull());

test("a pattern that would keep a backtracking engine for years is answered", () => {
  expect(holdsPattern("^(a+)+$", `${"a".repeat(500)}!`)).toBe(false);
  expect(holdsPattern("^(a|a)*$", `${"a".repeat(500)}`)).toBe(true);
  expect(holdsPattern("(.*)(.*)(.*)(.*)x$", "a".repeat(5_000))).toBe(false);
  expect(holdsPattern("a".repeat(900), "a".repeat(100_000))).toBeNull();
});
