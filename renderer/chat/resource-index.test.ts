import { expect, test } from "vitest";
import type { McpResourceRow } from "../../shared/mcp.ts";
import { resourceIndex } from "./resource-index.ts";

const resource = (uri: string, name = ""): McpResourceRow => ({
  server: "docs",
  uri,
  mention: `@docs:${uri}`,
  name,
  description: "",
});
const template = {
  server: "docs",
  uriTemplate: "file:///{path}",
  mention: "@docs:file:///{path}",
  variables: ["path"],
  name: "Any file",
  description: "",
};
const index = resourceIndex(
  [resource("file:///guide/Start.md", "Getting started"), resource("file:///api.md", "Überblick")],
  [template],
);
const names = (word: string, most = 8) => index.matches(word, most).map(({ row }) => row.name);

test.each([
  ["", ["Getting started", "Überblick", "Any file"]],
  ["docs", ["Überblick", "Getting started", "Any file"]],
  ["docs:file:///g", ["Getting started"]],
  ["start", ["Getting started"]],
  ["guide/s", ["Getting started"]],
  ["übe", ["Überblick"]],
  ["any", ["Any file"]],
  ["tart", []],
])("%j finds by the beginning of any word: %j", (word, found) => {
  expect(names(word)).toEqual(found);
});
test("a whole address is known as such, a template is none", () => {
  expect(index.has("docs:FILE:///api.md")).toBe(true);
  expect(index.has("docs:file:///{path}")).toBe(false);
});
test("of thousands the first few are answered, each once", () => {
  const many = resourceIndex(
    Array.from({ length: 5_000 }, (_, n) => resource(`file:///book/book-${n}.md`, `book ${n}`)),
    [],
  );
  const found = many.matches("book", 8);
  expect(found).toHaveLength(8);
  expect(new Set(found).size).toBe(8);
});
