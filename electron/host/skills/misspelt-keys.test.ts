import { beforeAll, expect, test } from "vitest";
import type { Finding } from "../kit/finding.ts";
import { judgeSkill } from "./judge.ts";
import { loadSkillParser, type ParseSkill } from "./parse-skill.ts";

let parse: ParseSkill;
beforeAll(async () => {
  parse = await loadSkillParser();
});
const findings = (fields: string): readonly Finding[] =>
  judgeSkill(parse(`---\n${fields}\n---\nBody.\n`, true).head, {
    placeName: "demo",
    inferred: false,
    strict: false,
  }).findings;

test.each(["descripton", "Description", "discription", "desciptoin"])(
  "a description that is missing names the %s that stands there, and is one error",
  (key) => {
    expect(findings(`name: demo\n${key}: Reads.`)).toEqual([
      {
        code: "skill-description-missing",
        severity: "error",
        message: `the description is missing, so nobody can tell what the skill is for; ${key} stands on line 3: did you mean description?`,
        line: 3,
        fix: `write description in place of ${key}`,
      },
    ]);
  },
);
test("a name that is missing names the misspelt one; another short word is not taken for it", () => {
  expect(findings("nmae: demo\ndescription: D.")).toMatchObject([
    {
      code: "skill-name-missing",
      message:
        "name is missing (nmae stands on line 2: did you mean name?); the folder's name is taken: demo",
      line: 2,
      fix: "write name in place of nmae",
    },
  ]);
  expect(findings("date: today\ndescription: D.")).toMatchObject([
    { message: "name is missing; the folder's name is taken: demo", fix: "add name: demo" },
  ]);
});
test.each([
  ["alowed-tools", "allowed-tools"],
  ["allowed_tools", "allowed-tools"],
  ["user_invocable", "user-invocable"],
  ["user-invokable", "user-invocable"],
  ["disable_model_invocation", "disable-model-invocation"],
  ["when_to_use", "when-to-use"],
  ["licence", "license"],
  ["descripton", "description"],
])("the key %s, which nobody reads, is told with the one that was meant", (key, meant) => {
  expect(findings(`name: demo\ndescription: D.\n${key}: x`)).toEqual([
    {
      code: "skill-key-misspelt",
      severity: "warning",
      message: `the key ${key} is not known and means nothing here: did you mean ${meant}?`,
      line: 4,
      fix: `write ${meant} in place of ${key}`,
    },
  ]);
});
test("a key of another client is nobody's misspelling", () => {
  const keys = [
    "mode",
    "version",
    "author",
    "tags",
    "context",
    "agent",
    "hooks",
    "argument-hint",
    "date",
    "title",
  ];
  expect(findings(`name: demo\ndescription: D.\n${keys.map((key) => `${key}: x`).join("\n")}`)).toEqual([]);
});
test("of thousands of misspelt keys the first few are told", () => {
  const keys = Array.from(
    { length: 2000 },
    (_, n) => `alowed-tools${"-".repeat(n % 40)}${"_".repeat(n / 40)}: x`,
  );
  expect(findings(`name: demo\ndescription: D.\n${keys.join("\n").slice(0, 60_000)}`).length).toBeLessThan(
    10,
  );
});
