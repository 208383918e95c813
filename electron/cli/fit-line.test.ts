import { expect, test } from "vitest";
import { fitLine } from "./fit-line.ts";

test.each([
  ["short", 5, "short"],
  ["shorter", 5, "shor…"],
  ["two words here", 5, "two…"],
  ["拆分小说", 8, "拆分小说"],
  ["拆分小说吧", 8, "拆分小…"],
  ["a😀b", 4, "a😀b"],
  ["several\nlines\t of it", 40, "several lines of it"],
  ["anything", 0, "…"],
])("%j in %i columns", (text, width, fitted) => {
  expect(fitLine(text, width)).toBe(fitted);
});
test("what is no terminal gets all of it", () => {
  expect(fitLine("x".repeat(5_000), undefined)).toHaveLength(5_000);
});
