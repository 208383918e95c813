import { expect, test } from "vitest";
import { parseArguments, plainForm } from "./explain-input.ts";

const text = { type: "string" };
const schema = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
});

test.each([
  [schema({ command: text }, ["command"]), { argument: "command", rest: {} }],
  [schema({ path: text, content: text }, ["path", "content"]), { argument: "path", rest: { content: "" } }],
  [schema({ url: text, raw: { type: "boolean" } }, ["url"]), { argument: "url", rest: {} }],
  [schema({ path: text, count: { type: "number" } }, ["count"]), null],
  [schema({ path: { type: "number" } }), null],
  [schema({ prompt: text }, ["prompt"]), null],
  [undefined, null],
])("%j", (input, form) => expect(plainForm(input)).toEqual(form));

test("arguments are an object, or nothing at all", () => {
  expect(parseArguments(' {"a": 1}')).toEqual({ a: 1 });
  expect(parseArguments(" ")).toEqual({});
  for (const wrong of ["[1]", "3", "null", "{"]) expect(() => parseArguments(wrong)).toThrow(SyntaxError);
});
