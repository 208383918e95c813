import { expect, test } from "vitest";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import type { SkillVerdict } from "../../../shared/skills.ts";
import { mountApp } from "../../mount.testing.ts";
import { skillRow } from "../fixtures.testing.ts";
import SkillReasons from "./SkillReasons.vue";

const winner = skillRow({ id: "skill:x/pdf", path: "/x/pdf", source: "x", pinned: true });
const loser = skillRow({ state: "shadowed", shadowedBy: "/x/pdf" });
const verdicts: readonly SkillVerdict[] = [
  { row: winner, offered: true, invocable: true, reasons: [{ code: "on" }, { code: "pinned" }] },
  { row: loser, offered: false, invocable: false, reasons: [{ code: "shadowed", detail: "/x/pdf" }] },
];
const show = (row: SkillRow, all = verdicts) =>
  mountApp(SkillReasons, {
    props: { row, explanation: { name: "pdf", verdicts: all, reasons: [], diagnostics: [] } },
  }).wrapper;
const lines = (row: SkillRow): string[] =>
  show(row)
    .findAll(".reasons > li")
    .map((one) => one.text());

test("a pin is told as the reason, of who wins by it and of who loses by it", () => {
  expect(lines(winner)).toEqual(["It is on.", "It is pinned, so it wins its name."]);
  expect(lines(loser)[0]).toContain("wins, pinned in settings:");
});

test("the catalog is named only where the skill stands in it", () => {
  expect(show(winner).text()).toContain("Its name stands in the model’s catalog.");
  const hidden: SkillVerdict = {
    row: skillRow({ hiddenFromModel: true }),
    offered: false,
    invocable: true,
    reasons: [{ code: "on" }, { code: "hidden_from_model" }],
  };
  expect(show(hidden.row, [hidden]).text()).not.toContain("catalog");
});
