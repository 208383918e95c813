import { expect, test } from "vitest";
import type { Diagnostic } from "../../shared/diagnostic.ts";
import type { SkillRow } from "../../shared/extension-rows.ts";
import {
  assertOneMeant,
  madeText,
  removedSkillText,
  repairedText,
  switchedText,
} from "./skill-change-text.ts";

const row: SkillRow = {
  id: "skill:project-nacre/pdf",
  name: "pdf",
  description: "Reads PDFs.",
  source: "project-nacre",
  scope: "workspace",
  path: "/ws/.agent/skills/pdf/SKILL.md",
  state: "on",
  trusted: true,
  diagnostics: [],
  rank: 1,
};
const users: SkillRow = {
  ...row,
  id: "skill:user-nacre/pdf",
  source: "user-nacre",
  path: "/config/skills/pdf/SKILL.md",
  state: "shadowed",
};
const lacking: Diagnostic = {
  code: "skill-description-missing",
  severity: "error",
  message: "the description is missing, so nobody can tell what the skill is for",
  path: row.path,
  line: 1,
  fix: "add a description",
};
const differing: Diagnostic = { code: "skill-name-differs", severity: "warning", message: "it differs" };

test("a repair after which the skill still does not load says so, and what is left", () => {
  expect(repairedText(row.path, [differing, lacking])).toBe(
    [
      `repaired ${row.path} in part: the skill is still not offered`,
      `error skill-description-missing ${row.path}:1: ${lacking.message}`,
      "  Fix: add a description",
    ].join("\n"),
  );
  expect(repairedText(row.path, [differing])).toBe(`repaired ${row.path}`);
});
test("of several skills of a name none is taken until the source says which, and each is named with its file", () => {
  expect(() => assertOneMeant([row, users], "pdf", undefined)).toThrow(
    `--source says which pdf is meant:\n  project-nacre  ${row.path}\n  user-nacre     ${users.path}`,
  );
  expect(() => assertOneMeant([row, users], "pdf", "user-nacre")).not.toThrow();
  expect(() => assertOneMeant([row, { ...users, name: "other" }], "pdf", undefined)).not.toThrow();
});
test("a removal says which file went, and who has the name now", () => {
  expect(removedSkillText(row, "20261201-1", { ...users, state: "on" })).toBe(
    [
      `removed pdf of project-nacre, ${row.path}; nacre skills restore 20261201-1 brings it back`,
      `pdf of user-nacre takes its place: ${users.path}`,
    ].join("\n"),
  );
  expect(removedSkillText(row, "20261201-1", undefined)).not.toContain("takes its place");
});
test("what was switched says its state and why it does not count where it is on and does not", () => {
  expect(switchedText({ ...row, state: "off" }, false)).toBe("pdf of project-nacre is off");
  expect(switchedText(row, true)).toBe("pdf of project-nacre is on");
  expect(switchedText({ ...users, shadowedBy: row.path }, true)).toBe(
    "pdf of user-nacre is switched on and shadowed: nacre skills doctor pdf says why",
  );
});
test("a new skill says which file to edit next", () => {
  expect(madeText(row)).toBe(
    `made pdf: say in ${row.path} what it does and when to use it, then nacre skills doctor pdf`,
  );
});
