import { expect, test } from "vitest";
import { codeExcerpt, lineRange } from "./code-excerpt.ts";

const text = "---\r\nname: a\rdescription: b: c\nfourth\nfifth\nsixth\nseventh";

test("the excerpt holds the line and its neighbours, whatever ends the lines", () => {
  const lines = codeExcerpt(text, 3);
  expect(lines.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  expect(lines.filter(({ marked }) => marked)).toEqual([
    { number: 3, text: "description: b: c", marked: true },
  ]);
  expect(codeExcerpt(text, 7).map(({ number }) => number)).toEqual([5, 6, 7]);
});

test.each([0, 8])("there is no line %d: nothing to show", (line) =>
  expect(codeExcerpt(text, line)).toEqual([]),
);

test("a line is found where it stands in the text", () => {
  const { start, end } = lineRange(text, 3);
  expect(text.slice(start, end)).toBe("description: b: c");
  expect(lineRange(text, 1)).toEqual({ start: 0, end: 3 });
  expect(text.slice(lineRange(text, 7).start)).toBe("seventh");
});
