import { expect, test } from "vitest";
import { marketItem } from "./fixtures.testing.ts";
import { filterItems, kindCounts, markCount, runsHere, type MarkFilter } from "./filter.ts";

const missing = { kind: "docker", ok: false };
const items = [
  marketItem({ id: "a", kind: "mcp", trust: "verified", installed: true }),
  marketItem({ id: "b", kind: "mcp", trust: "community", requirements: [missing] }),
  marketItem({ id: "c", kind: "skill", trust: "verified" }),
];
const ids = (kind: "all" | "mcp" | "plugin", ...marks: MarkFilter[]): string[] =>
  filterItems(items, { kind, marks: new Set(marks) }).map(({ id }) => id);

test("what needs nothing, or has all it needs, runs here", () => {
  expect(items.map(runsHere)).toEqual([true, false, true]);
  const node = { kind: "node", ok: true };
  expect(runsHere({ requirements: [node, missing] })).toBe(false);
});

test("kind and marks are all asked for together", () => {
  expect(ids("all")).toEqual(["a", "b", "c"]);
  expect(ids("mcp")).toEqual(["a", "b"]);
  expect(ids("plugin")).toEqual([]);
  expect(ids("all", "verified")).toEqual(["a", "c"]);
  expect(ids("mcp", "verified", "runs_here")).toEqual(["a"]);
  expect(ids("all", "installed")).toEqual(["a"]);
});

test("each count is what its button would show", () => {
  const verified = new Set<MarkFilter>(["verified"]);
  expect(kindCounts(items, new Set())).toEqual({ all: 3, skill: 1, plugin: 0, mcp: 2 });
  expect(kindCounts(items, verified)).toEqual({ all: 2, skill: 1, plugin: 0, mcp: 1 });
  expect(markCount(items, { kind: "all", marks: verified }, "installed")).toBe(1);
  expect(markCount(items, { kind: "skill", marks: new Set() }, "installed")).toBe(0);
});
