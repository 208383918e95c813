import { expect, test } from "vitest";
import type { SkillRow } from "../../shared/extension-rows.ts";
import type { SkillReason } from "../../shared/skills.ts";
import { skillExplanationText } from "./skill-explanation-text.ts";

const row: SkillRow = {
  id: "skill:project-nacre/pdf",
  name: "pdf",
  description: "",
  source: "project-nacre",
  scope: "workspace",
  path: "/ws/.agent/skills/pdf/SKILL.md",
  state: "invalid",
  trusted: false,
  diagnostics: [],
  rank: 1,
};
const told = (reason: SkillReason, offered = false): string =>
  skillExplanationText({
    name: "pdf",
    verdicts: [{ row, offered, invocable: offered, reasons: [reason] }],
    reasons: [],
    diagnostics: [],
  });

test("what is not offered is not said to be offered because it is text", () => {
  const text = told({ code: "workspace_untrusted" });
  expect(text).toContain("not offered to the model");
  expect(text).not.toContain("all the same");
  expect(text).toContain("a skill counts as text and starts nothing");
});
test("a description cut at its own limit is not blamed on the catalog's room", () => {
  const text = told({ code: "description_long", detail: "500" }, true);
  expect(text).toContain(
    "  its description is longer than 500 characters, so that a part of it stands in the catalog",
  );
});
test("a skill that wins by its pin says so", () => {
  expect(told({ code: "pinned" }, true)).toContain("  it is pinned: nacre skills unpin pdf ends that");
});
test("what can be repaired names the command, with the source where a name is several skills'", () => {
  const verdict = { row, offered: false, invocable: false, reasons: [], repairable: true } as const;
  const text = (verdicts: readonly (typeof verdict)[]): string =>
    skillExplanationText({ name: "other", verdicts, reasons: [], diagnostics: [] });
  expect(text([verdict])).toMatch(/ {2}it can be repaired: nacre skills repair pdf$/);
  expect(text([verdict, verdict])).toMatch(/: nacre skills repair pdf --source project-nacre$/);
});
test("what is shadowed names both sources, and the pin where that is the reason", () => {
  const loser: SkillRow = { ...row, state: "shadowed" };
  const winner: SkillRow = {
    ...row,
    id: "skill:user-nacre/pdf",
    source: "user-nacre",
    path: "/c/SKILL.md",
    state: "on",
  };
  const text = (best: SkillRow): string =>
    skillExplanationText({
      name: "pdf",
      verdicts: [
        { row: best, offered: true, invocable: true, reasons: [{ code: "on" }] },
        {
          row: loser,
          offered: false,
          invocable: false,
          reasons: [{ code: "shadowed", detail: winner.path }],
        },
      ],
      reasons: [],
      diagnostics: [],
    });
  expect(text(winner)).toContain(
    "  it is shadowed by /c/SKILL.md (user-nacre); nacre skills pin pdf --source project-nacre makes this one win",
  );
  expect(text({ ...winner, pinned: true })).toContain(
    "  it is shadowed by /c/SKILL.md (user-nacre), which is pinned: nacre skills unpin pdf ends that, nacre skills pin pdf --source project-nacre makes this one win",
  );
});
