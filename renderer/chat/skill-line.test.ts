import { expect, test } from "vitest";
import { needsForm, readSkillLine, skillLine } from "./skill-line.ts";

test.each([
  ["/pdf", { name: "pdf", rest: "" }],
  ["/docs:pdf a=1 text\nmore", { name: "docs:pdf", rest: "a=1 text\nmore" }],
  ["/skill pdf a=1", { name: "pdf", rest: "a=1" }],
  ["/skill", { name: "skill", rest: "" }],
  ["pdf", null],
  ["/", null],
])("%j", (text, line) => expect(readSkillLine(text)).toEqual(line));

const schema = {
  type: "object",
  properties: { version: { type: "string" }, n: { type: "integer" } },
  required: ["version"],
};
test("what a form fills in is the line that is typed in a terminal", () => {
  expect(skillLine("notes", schema, { version: "2 4", n: 3 }, " for all ")).toBe(
    '/notes version="2 4" n=3 for all',
  );
  expect(skillLine("notes", null, {}, "")).toBe("/notes");
  expect(skillLine("notes", null, {}, "text")).toBe("/notes text");
});
test.each([
  ["", true],
  ["version=2", false],
  ["version=2 n=x", true],
])("the form opens for %j: %s", (rest, opens) => expect(needsForm(schema, rest)).toBe(opens));
