import { expect, test } from "vitest";
import { withLineEndsOf } from "./line-ends.ts";

test.each([
  ["a\r\nb", "a\nb\n", "a\r\nb\r\n"],
  ["a\rb", "a\nb", "a\rb"],
  ["a\nb\r\n", "a\nb", "a\nb"],
  ["", "a\nb", "a\nb"],
])("a text with the line ends of %j", (text, typed, written) =>
  expect(withLineEndsOf(text, typed)).toBe(written),
);
