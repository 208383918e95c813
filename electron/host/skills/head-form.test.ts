import { expect, test } from "vitest";
import { headForm } from "./head-form.ts";
import type { SkillHead } from "./head.ts";
import { loadSkillParser } from "./parse-skill.ts";

/** As it comes back from a file. */
const kept = (head: SkillHead): unknown => headForm.unpack(JSON.parse(JSON.stringify(headForm.pack(head))));

const everything = `---
name: pdf
description: Reads PDFs.
when-to-use: With PDFs.
license: MIT
compatibility: Node
model: small
scope: user
metadata: { author: somebody, version: "1", other: { tags: [a, true] } }
tools: [read_file]
allowed-tools: Read, Grep
keywords: [pdf, paper]
arguments: { page: { type: number } }
disable-model-invocation: true
user-invocable: false
---
Body.
`;
test.each([
  ["a name and a description", "---\nname: pdf\ndescription: Reads PDFs.\n---\nBody.\n"],
  ["a name of several words", "---\nname: a | b\ndescription: c | d\n---\n"],
  ["every field", everything],
  ["findings", "---\nname: 3000\ndescription: Use when: asked.\n---\n"],
  ["no name", "---\ndescription: D.\n---\n"],
  ["no front matter", "# Title\n\nFirst line.\n"],
  ["no text", ""],
  ["a broken block", "---\nname: [\n---\n"],
])("a head of a file with %s comes back as it was", async (_, text) => {
  const { head } = (await loadSkillParser())(text, true);
  expect(kept(head)).toEqual(head);
});
test.each([[null], [7], [["a", "b", "1 2 3 4"]]])("%j was never packed", (packed) => {
  expect(headForm.unpack(packed)).toBeUndefined();
});
