import { expect, test } from "vitest";
import { needsForm, skillLine } from "./skill-line.ts";

const schema = {
  type: "object",
  properties: { version: { type: "string" }, n: { type: "integer" } },
  required: ["version"],
};
test("what a form fills in is the line that is typed in a terminal", () => {
  expect(skillLine("/notes", schema, { version: "2 4", n: 3 }, " for all ")).toBe(
    '/notes version="2 4" n=3 for all',
  );
  expect(skillLine("/notes", null, {}, "")).toBe("/notes");
  expect(skillLine("/notes", null, {}, "text")).toBe("/notes text");
});
test.each([
  ["", true],
  ["version=2", false],
  ["version=2 n=x", true],
])("the form opens for %j: %s", (rest, opens) => expect(needsForm(schema, rest)).toBe(opens));
