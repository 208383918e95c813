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
  [
    "two far apart are changed",
    "a\r\nb\nc\r\nd\ne\r\nf\r\n",
    "A\nb\nc\nd\nE\nf\n",
    "A\r\nb\nc\r\nd\nE\r\nf\r\n",
  ],
  ["lines come and go", "a\nb\r\nc\nd\r\ne\r\n", "new\na\nb\nd\ne\n", "new\r\na\nb\r\nd\r\ne\r\n"],
  ["the text has ends of its own", "a\r\n", "b\r\nc\n", "b\r\nc\n"],
])("where %s, the lines that nobody touched keep their ends", async (_name, before, typed, after) =>
  expect(await withLineEnds(typed, before)).toBe(after),
);
test.each([
  ["hardly a line is left", (index: number) => `${index}`],
  ["all lines are equal", () => "- a"],
])("of a long text of which %s the ends are not searched for", async (_what, line) => {
  const lines = Array.from({ length: 200_000 }, (_, index) => line(index));
  const made = await withLineEnds(lines.map((one) => `${one}!\n`).join(""), `${lines.join("\r\n")}\r\n`);
  expect(made).toBe(lines.map((one) => `${one}!\r\n`).join(""));
});
