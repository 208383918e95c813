import { expect, test } from "vitest";
import { typedForForm } from "./typed-arguments.ts";

const schema = {
  type: "object",
  properties: {
    version: { type: "string" },
    channel: { type: "string", enum: ["stable", "beta"], default: "stable" },
    count: { type: "integer", default: 1, maximum: 3 },
    draft: { type: "boolean", default: false },
  },
  required: ["version"],
};

test("what is no value of its argument stands as it was written, and no default takes its place", () => {
  expect(typedForForm(schema, "channel=gamma count=many draft=perhaps x")).toEqual({
    values: { channel: "gamma", count: "many", draft: "perhaps" },
    text: "x",
    wrong: [
      { name: "channel", written: "gamma" },
      { name: "count", written: "many" },
      { name: "draft", written: "perhaps" },
    ],
    unread: [],
  });
});

test("what is a value is one, whatever its limits; what was not typed is not there", () => {
  expect(typedForForm(schema, "count=9 draft=yes to all")).toEqual({
    values: { count: 9, draft: true },
    text: "to all",
    wrong: [],
    unread: [],
  });
});

test("a line that cannot be read as arguments is text, whole, and says why", () => {
  for (const line of ["chanel=beta version=3 x", 'version="3 x', "count=1 count=2"]) {
    const { values, text, unread } = typedForForm(schema, line);
    expect([values, text, unread.length]).toEqual([{}, line, 1]);
  }
});

test("words take the names of a bare list in order", () => {
  const names = { "x-in-order": true, type: "object", properties: { a: { type: "string" } }, required: [] };
  expect(typedForForm(names, "one two")).toMatchObject({ values: { a: "one" }, text: "two" });
  expect(typedForForm(null, "a=1")).toMatchObject({ values: {}, text: "a=1" });
});
