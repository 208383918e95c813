import { expect, test } from "vitest";
import { skillRow } from "./fixtures.testing.ts";
import { skillGroups, skillStatus, statusCounts } from "./skill-groups.ts";

const rows = [
  skillRow({ name: "pdf", scope: "user", source: "user-nacre", description: "Fills forms" }),
  skillRow({ name: "deploy", scope: "workspace", trusted: false }),
  skillRow({ name: "old", scope: "user", source: "user-claude", state: "off" }),
  skillRow({ name: "broken", scope: "workspace", state: "invalid" }),
  skillRow({ name: "remote", scope: "moon" }),
];
const groups = (text: string, status: "all" | "off" | "untrusted" = "all") =>
  skillGroups(rows, { text, status }).map(({ scope, rows: own }) => [scope, own.map(({ name }) => name)]);

test("on in a folder that nobody trusts is untrusted; off stays off there", () => {
  expect(skillStatus({ state: "on", trusted: false })).toBe("untrusted");
  expect(skillStatus({ state: "off", trusted: false })).toBe("off");
  expect(skillStatus({ state: "on", trusted: true })).toBe("on");
});

test("the counts add up to all rows", () => {
  const counts = statusCounts(rows);
  expect(counts).toEqual([
    { status: "on", count: 2 },
    { status: "off", count: 1 },
    { status: "invalid", count: 1 },
    { status: "untrusted", count: 1 },
  ]);
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length);
});

test("the workspace comes first, what is unknown last", () => {
  expect(groups("")).toEqual([
    ["workspace", ["deploy", "broken"]],
    ["user", ["pdf", "old"]],
    ["moon", ["remote"]],
  ]);
  expect(skillGroups(rows, { text: "", status: "all" })[1]?.sources).toEqual(["user-nacre", "user-claude"]);
});

test("every word has to occur, in name or description; the status too", () => {
  expect(groups("PDF forms")).toEqual([["user", ["pdf"]]]);
  expect(groups("pdf nothing")).toEqual([]);
  expect(groups("", "off")).toEqual([["user", ["old"]]]);
  expect(groups("", "untrusted")).toEqual([["workspace", ["deploy"]]]);
});
