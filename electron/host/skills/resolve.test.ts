import { expect, test } from "vitest";
import type { SkillState } from "../../../shared/extension-rows.ts";
import type { RuleAnswer } from "../../../shared/policy.ts";
import type { Rule } from "../config/permission.ts";
import { findSkill } from "./find-skill.ts";
import { resolveSkills, skillRow, type SkillChoices, type SkillEntry } from "./resolve.ts";

const entry = (name: string, source: string, more: Partial<SkillEntry> = {}): SkillEntry => ({
  id: `skill:${source}/${name}`,
  name,
  description: `${name} of ${source}`,
  source,
  scope: "user",
  path: `/${source}/${name}/SKILL.md`,
  trusted: true,
  valid: true,
  approved: true,
  enabled: true,
  hiddenFromModel: false,
  userInvocable: true,
  diagnostics: [],
  rank: 100,
  ...more,
});
const choices = (off: readonly string[] = [], pinned: readonly string[] = []): SkillChoices => ({
  isOn: (id) => !off.includes(id),
  isPinned: (id) => pinned.includes(id),
});
const rule = (pattern: string, answer: RuleAnswer, more: Partial<Rule> = {}): Rule => ({
  tool: "skill",
  pattern,
  answer,
  source: "settings",
  trusted: true,
  ...more,
});
/** `state`, `state *` for a pinned one, `state < path` for a shadowed one; by source. */
const told = (
  entries: readonly SkillEntry[],
  how: SkillChoices = choices(),
  rules: readonly Rule[] = [],
  sessionId?: string,
): Record<string, string> =>
  Object.fromEntries(
    resolveSkills(entries, how, rules, sessionId).map((skill) => {
      const { source, state, pinned, shadowedBy } = skillRow(skill, false);
      return [source, state + (pinned ? " *" : "") + (shadowedBy === undefined ? "" : ` < ${shadowedBy}`)];
    }),
  );

test("the best that may win a name has it, the others are shadowed by it", () => {
  expect(told([entry("pdf", "a"), entry("pdf", "b"), entry("other", "c")])).toEqual({
    a: "on",
    b: "shadowed < /a/pdf/SKILL.md",
    c: "on",
  });
});
test("what cannot speak shadows nothing", () => {
  const rivals = [
    entry("pdf", "broken", { valid: false }),
    entry("pdf", "waits", { approved: false }),
    entry("pdf", "plugin-off", { enabled: false }),
    entry("pdf", "off"),
    entry("pdf", "last"),
  ];
  expect(told(rivals, choices(["skill:off/pdf"]))).toEqual({
    broken: "invalid",
    waits: "untrusted",
    "plugin-off": "off",
    off: "off",
    last: "on",
  });
});
test("of several reasons one state is told: invalid, untrusted, denied, off, then who has the name", () => {
  const all = { valid: false, approved: false, enabled: false } as const;
  const deny = [rule("*", "deny")];
  const steps: readonly (readonly [Partial<SkillEntry>, readonly Rule[], SkillState])[] = [
    [all, deny, "invalid"],
    [{ ...all, valid: true }, deny, "untrusted"],
    [{ enabled: false }, deny, "denied"],
    [{ enabled: false }, [], "off"],
    [{}, [], "on"],
  ];
  for (const [more, rules, state] of steps)
    expect(resolveSkills([entry("pdf", "a", more)], choices(), rules)[0]?.state).toBe(state);
});
test("a pin makes a shadowed skill win its name, for as long as it may win at all", () => {
  const rivals = [entry("pdf", "a"), entry("pdf", "b"), entry("pdf", "c")];
  const pinB = choices([], ["skill:b/pdf"]);
  const byB = "shadowed < /b/pdf/SKILL.md";
  expect(told(rivals, pinB)).toEqual({ a: byB, b: "on *", c: byB });
  // Of several pins the best counts.
  expect(told(rivals, choices([], ["skill:b/pdf", "skill:c/pdf"]))).toEqual({ a: byB, b: "on *", c: byB });
  const byA = "shadowed < /a/pdf/SKILL.md";
  expect(told(rivals, choices([], ["skill:a/pdf"]))).toEqual({ a: "on *", b: byA, c: byA });
  // Off, waiting or broken: the next one comes forward as if nothing were pinned.
  expect(told(rivals, choices(["skill:b/pdf"], ["skill:b/pdf"]))).toEqual({ a: "on", b: "off", c: byA });
  const waits = [entry("pdf", "a"), entry("pdf", "b", { approved: false })];
  expect(told(waits, pinB)).toEqual({ a: "on", b: "untrusted" });
  // Nobody else wants the name: there is nothing to win.
  expect(told([entry("pdf", "b")], pinB)).toEqual({ b: "on" });
});
test("a conversation's skill counts for that conversation alone", () => {
  const all = [
    entry("pdf", "mine", { sessionId: "s1", path: "", rank: 0 }),
    entry("pdf", "theirs", { sessionId: "s2", path: "", rank: 0 }),
    entry("pdf", "project"),
  ];
  expect(told(all, choices(), [], "s1")).toEqual({
    mine: "on",
    project: "shadowed < skill:mine/pdf",
  });
  expect(told(all, choices(), [], "s3")).toEqual({ project: "on" });
  // A list of everything shows each as its own conversation has it, and they take no name from anybody.
  expect(told(all)).toEqual({ mine: "on", theirs: "on", project: "on" });
  expect(findSkill(resolveSkills(all, choices(), []), "pdf")).toMatchObject({ entry: { source: "project" } });
  expect(findSkill(resolveSkills(all, choices(), [], "s1"), "pdf")).toMatchObject({
    entry: { source: "mine" },
  });
});
test("the same entries give the same answer, and none is changed by it", () => {
  const entries = [entry("pdf", "a"), entry("pdf", "b")].map((one) => Object.freeze(one));
  expect(resolveSkills(entries, choices(), [])).toEqual(resolveSkills(entries, choices(), []));
});

const role = { source: "role:reader" } as const;
const cases: readonly {
  readonly title: string;
  readonly rules: readonly Rule[];
  readonly name?: string;
  readonly state: SkillState;
  /** Pattern of the rule that is told. */
  readonly by?: string;
}[] = [
  { title: "no rule allows", rules: [], state: "on" },
  { title: "no rule that matches allows", rules: [rule("docx", "deny")], state: "on" },
  {
    title: "a rule of another tool says nothing",
    rules: [rule("*", "deny", { tool: "run_shell" })],
    state: "on",
  },
  {
    title: "a rule for every tool counts",
    rules: [rule("*", "deny", { tool: "*" })],
    state: "denied",
    by: "*",
  },
  {
    title: "the last that matches wins, an allow after a deny",
    rules: [rule("*", "deny"), rule("pdf-*", "allow")],
    state: "on",
  },
  {
    title: "the last that matches wins, a deny after an allow",
    rules: [rule("pdf-*", "allow"), rule("*", "deny")],
    state: "denied",
    by: "*",
  },
  {
    title: "rules keep their order, the narrower one has no precedence",
    rules: [rule("pdf-tools", "allow"), rule("pdf*", "deny")],
    state: "denied",
    by: "pdf*",
  },
  { title: "* is any run of characters", rules: [rule("p*ls", "deny")], state: "denied", by: "p*ls" },
  { title: "* is none, too", rules: [rule("pdf-tools*", "deny")], state: "denied", by: "pdf-tools*" },
  { title: "? is one character", rules: [rule("pdf?tools", "deny")], state: "denied", by: "pdf?tools" },
  {
    title: "? is not two and not none",
    rules: [rule("pdf??tools", "deny"), rule("pdf-tools?", "deny")],
    state: "on",
  },
  { title: "a pattern is the whole name", rules: [rule("pdf", "deny")], state: "on" },
  { title: "a dot is a dot", rules: [rule("pdf.tools", "deny")], state: "on" },
  { title: "ask is told and keeps it on", rules: [rule("pdf*", "ask")], state: "on", by: "pdf*" },
  {
    title: "a plugin's skill is matched by its whole name",
    rules: [rule("docs:pdf-tools", "deny")],
    name: "docs:pdf-tools",
    state: "denied",
    by: "docs:pdf-tools",
  },
  {
    title: "a plugin's skill is matched by its bare name",
    rules: [rule("pdf-tools", "deny")],
    name: "docs:pdf-tools",
    state: "denied",
    by: "pdf-tools",
  },
  {
    title: "a rule for one plugin says nothing of another's skill",
    rules: [rule("docs:*", "deny")],
    name: "other:pdf-tools",
    state: "on",
  },
  {
    title: "a role's rules come after those of everybody",
    rules: [rule("*", "deny"), rule("pdf-tools", "allow", role)],
    state: "on",
  },
  {
    title: "a role may deny what is allowed",
    rules: [rule("*", "allow"), rule("pdf-tools", "deny", role)],
    state: "denied",
    by: "pdf-tools",
  },
  {
    title: "an allow of an untrusted workspace counts for nothing",
    rules: [rule("*", "deny"), rule("*", "allow", { trusted: false, source: "dropstone:/x" })],
    state: "denied",
    by: "*",
  },
];
test.each(cases)("permission.skill: $title", ({ rules, name = "pdf-tools", state, by }) => {
  const [skill] = resolveSkills([entry(name, "a")], choices(), rules);
  expect(skill?.state).toBe(state);
  expect(skill?.rule?.pattern).toBe(by);
});
test("a row names the rule that denies or asks, with where it stands", () => {
  const [skill] = resolveSkills([entry("pdf", "a")], choices(), [rule("p?f", "ask", role)]);
  expect(skill && skillRow(skill, true).rule).toEqual({
    pattern: "p?f",
    answer: "ask",
    source: "role:reader",
  });
});

test("a bare name is the one plugin's skill that is on, and of several none", () => {
  const one = resolveSkills([entry("docs:pdf", "plugin")], choices(), []);
  expect(findSkill(one, "pdf")).toBe(one[0]);
  const several = resolveSkills([entry("docs:pdf", "b"), entry("ai:pdf", "c")], choices(), []);
  expect(findSkill(several, "pdf")).toEqual({ ambiguous: ["ai:pdf", "docs:pdf"] });
  expect(findSkill(several, "docs:pdf")).toBe(several[0]);
  const own = resolveSkills([entry("pdf", "a"), entry("docs:pdf", "b")], choices(), []);
  expect(findSkill(own, "pdf")).toBe(own[0]);
  expect(findSkill(own, "df")).toBeUndefined();
});
test("names that an object has by itself are names like others", () => {
  const names = ["constructor", "docs:constructor"];
  const skills = resolveSkills(
    names.map((name) => entry(name, name)),
    choices(),
    [],
  );
  expect(skills.map(({ state }) => state)).toEqual(names.map(() => "on"));
  for (const name of names) expect(findSkill(skills, name)).toMatchObject({ entry: { name } });
  expect(findSkill(skills, "__proto__")).toBeUndefined();
});
test("ten thousand skills of one name: one has it, each other is shadowed by that one", () => {
  const many = Array.from({ length: 10_000 }, (_, at) => entry("pdf", `s${at}`));
  const last = many.at(-1);
  const skills = resolveSkills(many, choices([], [last?.id ?? ""]), []);
  expect(skills.filter(({ state }) => state === "on").map(({ entry: own }) => own)).toEqual([last]);
  expect(skills.filter(({ winner }) => winner === last)).toHaveLength(9_999);
  expect(findSkill(skills, "pdf")).toMatchObject({ entry: last });
});
