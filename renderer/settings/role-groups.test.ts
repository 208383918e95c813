import { expect, test } from "vitest";
import { roleRow } from "./fixtures.testing.ts";
import { roleGroups } from "./role-groups.ts";

test("the workspace's roles first, those of the app last", () => {
  const sources = ["bundled", "jira", "user-claude", "project-nacre", "user-nacre", "bundled"];
  const rows = sources.map((source, index) => roleRow({ name: `r${index}`, source }));
  expect(roleGroups(rows).map(({ source, rows: own }) => [source, own.length])).toEqual([
    ["project-nacre", 1],
    ["user-claude", 1],
    ["user-nacre", 1],
    ["jira", 1],
    ["bundled", 2],
  ]);
});
