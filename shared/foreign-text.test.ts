import { expect, test } from "vitest";
import { foreignTextProblem } from "./foreign-text.ts";

test.each([
  [{ format: "email" }, "a", { keyword: "format", format: "email" }],
  [{ format: "email" }, "a@b.example", null],
  [{ format: "elsewhere" }, "a", null],
  [{ pattern: "^a+$" }, "b", { keyword: "pattern", pattern: "^a+$" }],
  [{ pattern: "^(a+)+$" }, `${"a".repeat(40)}b`, { keyword: "pattern", pattern: "^(a+)+$" }],
  [{ pattern: "(?=a)" }, "b", null],
  [{ pattern: "a", format: "date" }, 3, null],
])("%j of %j", (schema, value, problem) => expect(foreignTextProblem(schema, value)).toEqual(problem));
