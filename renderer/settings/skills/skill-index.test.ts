import { expect, test } from "vitest";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import { skillRow } from "../fixtures.testing.ts";
import { skillIndex } from "./skill-index.ts";
import { keyOf, skillFilters, skillStatus, type SkillStatus } from "./skill-status.ts";

const asking = { pattern: "*", answer: "ask", source: "settings" } as const;
const rows = [
  skillRow({ name: "pdf", scope: "user", source: "user-nacre", description: "Fills forms" }),
  skillRow({ name: "deploy", scope: "workspace", trusted: false }),
  skillRow({ name: "old", scope: "user", source: "user-claude", state: "off" }),
  skillRow({
    name: "broken",
    scope: "workspace",
    state: "invalid",
    diagnostics: [{ code: "frontmatter-yaml", severity: "error", message: "An open quote" }],
  }),
  skillRow({ name: "remote", scope: "moon", rule: asking }),
];
const index = skillIndex(rows);
const groups = (text: string, status: SkillStatus | "all" = "all") =>
  index.groups({ text, status }).map(({ scope, rows: own }) => [scope, own.map(({ name }) => name)]);

test.each([
  [{ state: "on", trusted: false }, "on", ["on", "untrusted"]],
  [{ state: "off", trusted: false }, "off", ["off"]],
  [{ state: "on", trusted: true }, "on", ["on"]],
  [{ state: "on", trusted: true, rule: asking }, "asks", ["on", "asks"]],
  [{ state: "on", trusted: false, rule: asking }, "asks", ["on", "asks", "untrusted"]],
  [{ state: "off", trusted: true, rule: asking }, "off", ["off"]],
  [{ state: "untrusted", trusted: false }, "untrusted", ["untrusted"]],
] as const)("%j is %s and found under %j", (row, status, filters) => {
  expect(skillStatus(row)).toBe(status);
  expect(skillFilters(row)).toEqual(filters);
});

test("all that are on are counted and shown as on, whatever else is said of them", () => {
  expect(index.counts).toEqual([
    { status: "on", count: 3 },
    { status: "off", count: 1 },
    { status: "invalid", count: 1 },
    { status: "asks", count: 1 },
    { status: "untrusted", count: 1 },
  ]);
  expect(groups("", "on")).toEqual([
    ["workspace", ["deploy"]],
    ["user", ["pdf"]],
    ["moon", ["remote"]],
  ]);
});

test("the workspace comes first, what is unknown last", () => {
  expect(groups("")).toEqual([
    ["workspace", ["deploy", "broken"]],
    ["user", ["pdf", "old"]],
    ["moon", ["remote"]],
  ]);
  expect(index.groups({ text: "", status: "all" })[1]?.sources).toEqual(["user-nacre", "user-claude"]);
});

test("plugins are named above what they bring", () => {
  const plugin = (name: string) => skillRow({ name, scope: "plugin", source: "plugin" });
  const found = skillIndex([plugin("docs:pdf"), plugin("docs:odt"), plugin("git:log")]);
  expect(found.groups({ text: "", status: "all" })[0]?.sources).toEqual(["docs", "git"]);
});

test("every word has to occur, in name, description, path, source or problems; the status too", () => {
  expect(groups("PDF forms")).toEqual([["user", ["pdf"]]]);
  expect(groups("pdf nothing")).toEqual([]);
  expect(groups("open quote")).toEqual([["workspace", ["broken"]]]);
  expect(groups("user-claude")).toEqual([["user", ["old"]]]);
  expect(groups("skills/deploy/")).toEqual([["workspace", ["deploy"]]]);
  expect(groups("", "off")).toEqual([["user", ["old"]]]);
  expect(groups("", "untrusted")).toEqual([["workspace", ["deploy"]]]);
});

test("who has the name instead is found by path and by id", () => {
  const winner = skillRow({ name: "pdf", path: "/a/pdf/SKILL.md" });
  const memory = skillRow({ id: "skill:session/x", name: "x", path: "" });
  const shadowed = (shadowedBy: string): SkillRow => skillRow({ id: "other", state: "shadowed", shadowedBy });
  const found = skillIndex([winner, memory]);
  expect(found.winnerOf(shadowed("/a/pdf/SKILL.md"))).toBe(winner);
  expect(found.winnerOf(shadowed("skill:session/x"))).toBe(memory);
  expect(found.winnerOf(winner)).toBeUndefined();
  expect(found.byKey(keyOf(memory))).toBe(memory);
});

test("a text is made ready once for the list, however often is searched", () => {
  let reads = 0;
  const counted = (name: string): SkillRow =>
    Object.defineProperty(skillRow({ name }), "description", {
      get() {
        reads += 1;
        return "reads";
      },
    });
  const large = skillIndex(Array.from({ length: 5000 }, (_none, at) => counted(`skill-${at}`)));
  expect(large.groups({ text: "", status: "all" })[0]?.rows).toHaveLength(5000);
  expect(reads).toBe(0);
  expect(large.groups({ text: "skill-4321", status: "all" })[0]?.rows).toHaveLength(1);
  expect(large.groups({ text: "skill-43", status: "all" })[0]?.rows).toHaveLength(111);
  expect(reads).toBe(5000);
});
