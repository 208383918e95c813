import { expect, test } from "vitest";
import { withLineEnds } from "./write-text.ts";

test.each([
  ["nothing is changed", "a\r\nb\nc\n", "a\nb\nc\n", "a\r\nb\nc\n"],
  ["a line is added", "a\r\nb\nc\n", "a\nb\nc\nd\n", "a\r\nb\nc\nd\n"],
  ["a line is changed", "a\r\nb\nc\r\n", "a\nB\nc\n", "a\r\nB\r\nc\r\n"],
  ["a line goes", "a\r\nb\nc\r\nd\n", "a\nb\nd\n", "a\r\nb\nd\n"],
  ["an equal line is added", "a\r\na\n", "a\na\na\n", "a\r\na\na\r\n"],
  ["the last end goes", "a\r\nb\r\n", "a\nb", "a\r\nb"],
  ["a last end comes", "a\r\nb", "a\nb\n", "a\r\nb\r\n"],
  ["all is new", "a\rb\r", "x\ny\n", "x\ry\r"],
  ["all goes", "a\r\n", "", ""],
  ["the text has ends of its own", "a\r\n", "b\r\nc\n", "b\r\nc\n"],
])("where %s, the lines that nobody touched keep their ends", (_name, before, typed, after) =>
  expect(withLineEnds(typed, before)).toBe(after),
);
