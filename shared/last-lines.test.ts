import { expect, test } from "vitest";
import { lastLines } from "./last-lines.ts";

test.each([
  ["a\nb\nc\n", 2, undefined, "b\nc"],
  ["a", 5, undefined, "a"],
  ["", 5, undefined, ""],
  ["\na\n \n", 5, undefined, "\na"],
  ["aaaa\nbbbb\n", 2, 6, "a\nbbbb"],
  ["aaaa", 0, undefined, ""],
])("%j, the last %d, at most %d characters", (text, count, most, expected) =>
  expect(lastLines(text, count, most)).toBe(expected),
);
