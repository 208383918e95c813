import { expect, test } from "vitest";
import { promptList, resourceList, templateList, templateVariables } from "./offered-lists.ts";
import { listPages } from "./pages.ts";

/** Answers by the cursor that is asked for; `""` is the first page. */
const pages =
  (answers: Readonly<Record<string, unknown>>) =>
  (cursor = ""): Promise<unknown> =>
    Promise.resolve(answers[cursor]);

test("every page is read, and null ends the list as a missing cursor does", async () => {
  const page = pages({
    "": { resources: [{ uri: "a:1", name: "one", size: 5 }], nextCursor: "2" },
    2: { resources: [{ uri: "a:2" }], nextCursor: null },
  });
  expect(await listPages(resourceList, page)).toEqual({
    rows: [
      { uri: "a:1", name: "one", description: "", size: 5 },
      { uri: "a:2", name: "a:2", description: "" },
    ],
    problems: [],
  });
});
test("a bad entry does not cost the others, and is named", async () => {
  const page = pages({
    "": { resources: [7, { name: "no address" }, { uri: "a:1" }, { uri: "a:1" }, { uri: "x".repeat(5000) }] },
  });
  const { rows, problems } = await listPages(resourceList, page);
  expect(rows).toHaveLength(1);
  expect(problems).toEqual([
    "resources/list: left out an entry that is no object",
    "resources/list: left out an entry without uri",
    "resources/list: left out a second a:1",
    expect.stringContaining("is longer than 4000 characters"),
  ]);
});
test("a cursor that comes back ends the list", async () => {
  const page = pages({
    "": { prompts: [{ name: "a" }], nextCursor: "x" },
    x: { prompts: [], nextCursor: "x" },
  });
  expect((await listPages(promptList, page)).problems).toEqual([
    "prompts/list: the cursor x came twice; the list ends there",
  ]);
});
test("an answer without a list is told of", async () => {
  await expect(listPages(templateList, pages({ "": { resourceTemplates: {} } }))).rejects.toThrow(
    "answered resources/templates/list without a list of resourceTemplates",
  );
});
test("arguments without a name are left out, and only true makes one required", async () => {
  const page = pages({
    "": { prompts: [{ name: "p", arguments: [{ name: "a", required: "yes" }, {}, null] }] },
  });
  expect((await listPages(promptList, page)).rows).toEqual([
    { name: "p", description: "", arguments: [{ name: "a", description: "", required: false }] },
  ]);
});
test("variables of a template", () => {
  expect(templateVariables("file:///{path}{?q,page*}/{path}{+rest:3}")).toEqual([
    "path",
    "q",
    "page",
    "rest",
  ]);
});
