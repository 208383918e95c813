import { beforeAll, describe, expect, test } from "vitest";
import type { SkillFields } from "./head.ts";
import { loadSkillParser, type ParseSkill } from "./parse-skill.ts";
import { judgeSkill, type Place } from "./judge.ts";

let parse: ParseSkill;
beforeAll(async () => {
  parse = await loadSkillParser();
});
const place: Place = { placeName: "demo", inferred: false, strict: false };
const judge = (text: string, more: Partial<Place> = {}) =>
  judgeSkill(parse(text, true).head, { ...place, ...more });
const skill = (fields: string, body = "Body.\n"): string => `---\n${fields}\n---\n${body}`;
const fieldsOf = (fields: string): SkillFields => {
  const { head } = parse(skill(`name: demo\ndescription: D.\n${fields}`), false);
  if (head.kind !== "fields") throw new Error(JSON.stringify(head));
  return head;
};

describe("names", () => {
  test.each([
    ["My Skill", "my-skill"],
    ["my_skill", "my-skill"],
    ["-a--b-", "a-b"],
    ["PDF", "pdf"],
    ["Café Déjà", "cafe-deja"],
    ["a/b", "a-b"],
    ["x".repeat(70) + "!", "x".repeat(64)],
  ])("%s is skipped everywhere, with the corrected name", (name, corrected) => {
    for (const strict of [false, true]) {
      const { skill: loaded, findings } = judge(skill(`name: "${name}"\ndescription: D.`), { strict });
      expect(loaded).toBeNull();
      expect(findings).toContainEqual(
        expect.objectContaining({
          code: "skill-name-invalid",
          severity: "error",
          line: 2,
          fix: `name it ${corrected}`,
        }),
      );
    }
  });
  test("Chinese names are refused with a reason, and never become an empty name", () => {
    for (const name of ["小说拆条", "写作助手"]) {
      const { skill: loaded, findings } = judge(skill(`name: ${name}\ndescription: 拆分小说`), {
        placeName: name,
      });
      expect(loaded).toBeNull();
      expect(findings).toMatchObject([
        {
          code: "skill-name-invalid",
          severity: "error",
          message: expect.stringContaining(name) as unknown,
          fix: "choose a name of the letters a to z and digits",
        },
      ]);
    }
  });
  test("a name that differs, is missing or is too long: a warning where lenient, an error where strict", () => {
    const long = "a".repeat(65);
    for (const [fields, code, name, placeName] of [
      ["name: pdf-tools\ndescription: D.", "skill-name-differs", "pdf-tools", "pdf"],
      ["description: D.", "skill-name-missing", "doc", "doc"],
      [`name: ${long}\ndescription: D.`, "skill-name-long", long, long],
    ] as const) {
      const lenient = judge(skill(fields), { placeName });
      expect(lenient.skill?.name).toBe(name);
      expect(lenient.findings).toMatchObject([{ code, severity: "warning" }]);
      const strict = judge(skill(fields), { placeName, strict: true });
      expect(strict.skill).toBeNull();
      expect(strict.findings).toMatchObject([{ code, severity: "error" }]);
    }
    const most = "a".repeat(64);
    expect(judge(skill(`name: ${most}\ndescription: D.`), { placeName: most, strict: true })).toMatchObject({
      skill: { name: most },
      findings: [],
    });
  });
  test("no name, and a folder's that is none: one error, with the name to add", () => {
    for (const [text, fix, message] of [
      [skill("description: D."), "add name: my-skill", "name is missing, and the folder's"],
      [skill("name: [a]\ndescription: D."), "add name: my-skill", "name is no text, and the folder's"],
      ["# Text\n", "begin the file with ---, name: my-skill, description: …, ---", "no front matter"],
    ] as const)
      expect(judge(text, { placeName: "My Skill" })).toMatchObject({
        skill: null,
        findings: [{ severity: "error", fix, message: expect.stringContaining(message) as unknown }],
      });
    expect(judge(skill("name: [a]\ndescription: D."))).toMatchObject({
      skill: { name: "demo" },
      findings: [{ code: "skill-name-missing", line: 2 }],
    });
  });
  test("a number, a date or a truth value as name stays as it is written, and is told", () => {
    for (const [written, what] of [
      ["3000", "a number"],
      ["1.0", "a number"],
      ["0x10", "a number"],
      ["true", "true or false"],
      ["no", "true or false"],
      ["null", "nothing"],
      ["2024-01-02", "a date"],
    ] as const) {
      const { skill: loaded, findings } = judge(skill(`name: ${written}\ndescription: D.`), {
        placeName: written,
      });
      if (written !== "1.0") expect(loaded?.name).toBe(written);
      expect(findings[0]).toMatchObject({
        code: "skill-field-coerced",
        severity: "warning",
        line: 2,
        message: expect.stringContaining(`name is ${what}`) as unknown,
      });
    }
  });
});

describe("descriptions", () => {
  const text = (length: number): string =>
    Array.from("ab字😀".repeat(Math.ceil(length / 4)))
      .slice(0, length)
      .join("");
  test("1,024 code points load clean, 1,025 are cut between two of them with a warning", () => {
    expect(judge(skill(`name: demo\ndescription: ${text(1024)}`))).toMatchObject({
      skill: { description: text(1024) },
      findings: [],
    });
    const longer = judge(skill(`name: demo\ndescription: ${text(1025)}`));
    expect(longer.skill?.description).toBe(text(1024));
    expect(longer.findings).toMatchObject([
      {
        code: "skill-description-long",
        severity: "warning",
        line: 3,
        message: expect.stringContaining("1025 characters") as unknown,
      },
    ]);
    expect(judge(skill(`name: demo\ndescription: ${text(1025)}`), { strict: true }).skill).toBeNull();
  });
  test("they are counted after folding", () => {
    const folded = Array.from({ length: 15 }, () => "x".repeat(99)).join("\n  ");
    expect(judge(skill(`name: demo\ndescription: >\n  ${folded}`)).findings).toMatchObject([
      { message: expect.stringContaining("1499 characters") as unknown },
    ]);
  });
  test.each(["|", ">", "|-", ">-", "|+", ">+"])("a block scalar of %s is both of its lines", (style) => {
    const { skill: loaded } = judge(
      skill(`name: demo\ndescription: ${style}\n  This is a multiline\n  description.\n`),
    );
    expect(loaded?.description.replaceAll(/\s+/g, " ")).toBe("This is a multiline description.");
  });
  test("a missing one, and a missing name, are told at the line where the front matter opens, an empty one at its own", () => {
    const lines = (text: string) =>
      judge(text, { placeName: "Demo" }).findings.map(({ code, line }) => [code, line]);
    expect(lines("---\nlicense: MIT\n---\n")).toEqual([
      ["skill-name-invalid", 1],
      ["skill-description-missing", 1],
    ]);
    expect(lines("<!-- note -->\n\n---\nlicense: MIT\n---\n").slice(1)).toEqual([
      ["skill-name-invalid", 3],
      ["skill-description-missing", 3],
    ]);
    expect(judge(skill("description: D.")).findings).toMatchObject([{ code: "skill-name-missing", line: 1 }]);
    expect(judge(skill("name: demo\ndescription:")).findings).toMatchObject([{ line: 3 }]);
  });
  test("a missing or empty one skips the skill", () => {
    for (const more of [
      "",
      "\ndescription:",
      '\ndescription: ""',
      "\ndescription: [a, b]",
      "\ndescription: {a: b}",
    ]) {
      const { skill: loaded, findings } = judge(skill(`name: demo${more}`));
      expect(loaded).toBeNull();
      expect(findings).toMatchObject([{ code: "skill-description-missing", severity: "error" }]);
    }
  });
});

describe("without front matter", () => {
  test("the place gives the name and the first line of text the description, only where the place allows", () => {
    const text = "<!-- note -->\n# Title\n\n---\n\nDoes the thing.\nMore.\n";
    expect(judge(text, { inferred: true }).skill).toMatchObject({
      name: "demo",
      description: "Does the thing.",
    });
    expect(judge(text).findings.map(({ code }) => code)).toEqual(["skill-frontmatter-missing"]);
    // One cause, one error.
    expect(judge("# Title\n").findings.map(({ code }) => code)).toEqual(["skill-frontmatter-missing"]);
    expect(judge("# Title\n", { inferred: true }).skill).toBeNull();
  });
  test("a link that leaves its skill has no part in that, and is told as what it is", () => {
    const { head } = parse("root:x:0:0\n", false);
    expect(judgeSkill(head, { ...place, inferred: true })).toMatchObject({
      skill: null,
      findings: [
        { code: "skill-link-inferred", message: expect.stringContaining("is a link that leaves") as unknown },
      ],
    });
    expect(judgeSkill(head, place).findings).toMatchObject([{ code: "skill-frontmatter-missing" }]);
  });
  test("a block that exists never takes that way", () => {
    for (const text of [
      "---\nname: [a\n---\nText\n",
      "---\nname: demo\n\nText\n",
      "---js\n{}\n---\nText\n",
      ";;;\n{}\n;;;\nText\n",
      "---\njust text\n---\nText\n",
      "---\n---\nText\n",
      "<!-- c -->\n---\nname: [a\n---\nText\n",
    ])
      expect(judge(text, { inferred: true }).skill).toBeNull();
  });
});

describe("fields", () => {
  test("tools and what it asks to use stand apart, in lists or in text", () => {
    expect(
      fieldsOf(
        "tools: [Read, 7]\nallowed-tools: Bash(git diff:*), Write  Read\nkeywords: fill a form, PDF，表单",
      ).needs,
    ).toMatchObject({
      tools: ["Read", "7"],
      allowedTools: ["Bash(git diff:*)", "Write", "Read"],
      keywords: ["fill a form", "PDF", "表单"],
    });
    expect(fieldsOf("keywords: pdf forms\ntools: read_file").needs?.keywords).toEqual(["pdf", "forms"]);
  });
  test("Kairox's nested form, and its own fields before it", () => {
    const kairox = "kairox:\n  activation:\n    keywords: [a b, 1.0]\n  permissions:\n    tools: [fs.read]";
    expect(fieldsOf(kairox).needs).toMatchObject({ keywords: ["a b", "1.0"], tools: ["fs.read"] });
    expect(fieldsOf(`${kairox}\nkeywords: [x]\ntools: shell`).needs).toMatchObject({
      keywords: ["x"],
      tools: ["shell"],
    });
  });
  test("metadata is text to text; what other clients keep there otherwise stays as it is, with one note a file", () => {
    const { metadata, findings } = fieldsOf(
      "metadata:\n  version: 1.0\n  on: yes\n  none:\n  date: 2024-01-02\n  tags: [a]\n  openclaw: {emoji: x, requires: {bins: [git]}}\n  __proto__: x",
    );
    expect({ ...metadata }).toEqual({
      version: "1.0",
      on: "yes",
      none: "",
      date: "2024-01-02",
      tags: ["a"],
      openclaw: { emoji: "x", requires: { bins: ["git"] } },
    });
    expect(findings).toMatchObject([
      {
        code: "skill-metadata-foreign",
        severity: "info",
        line: 4,
        message: expect.stringContaining("(tags, openclaw)") as unknown,
      },
    ]);
    expect(fieldsOf("metadata: text").findings).toMatchObject([{ code: "skill-field-type", line: 4 }]);
  });
  test("a switch that is none counts as the stricter one; of two spellings the stricter counts", () => {
    for (const [text, hidden] of [
      ["disable-model-invocation: yes", true],
      ["disable-model-invocation: Off", undefined],
      ["disableModelInvocation: 1", true],
      ["disable-model-invocation: perhaps", true],
      ["disable-model-invocation: [false]", true],
      ["disable-model-invocation:", true],
      ['disable-model-invocation: "false" x: y', true],
      ["disable-model-invocation: false\ndisableModelInvocation: true", true],
    ] as const)
      expect(fieldsOf(text).hiddenFromModel).toBe(hidden);
    expect(fieldsOf("disable-model-invocation: perhaps").findings).toMatchObject([
      { code: "skill-switch", severity: "warning", line: 4 },
    ]);
    expect(fieldsOf("user-invocable: 0").modelOnly).toBe(true);
    expect(fieldsOf("user-invocable: maybe").modelOnly).toBe(true);
    expect(fieldsOf("user-invocable: ON").modelOnly).toBeUndefined();
  });
  test("a scope that the folder overrules is a note; one that it does not is none", () => {
    const text = skill("name: demo\ndescription: D.\nscope: user");
    expect(judge(text, { scope: "workspace" })).toMatchObject({
      skill: { name: "demo" },
      findings: [{ code: "skill-scope", severity: "info", line: 4 }],
    });
    expect(judge(text, { scope: "user" }).findings).toEqual([]);
    expect(judge(text).findings).toEqual([]);
  });
  test("a cosmetic field never keeps a skill from loading", () => {
    for (const fault of [
      "argument-hint: [a] [b: c]",
      "version: {",
      'author: "me',
      "license: [MIT",
      "metadata: {a",
      "color: *pink",
      "homepage: @x",
      "x: 1\nx: 2",
      "compatibility: `node` >= 20",
    ]) {
      const { skill: loaded, findings } = judge(skill(`name: demo\n${fault}\ndescription: D.`), {
        strict: true,
      });
      expect(loaded).toMatchObject({ name: "demo", description: "D." });
      expect(findings[0]).toMatchObject({ severity: "warning" });
      expect([3, 4]).toContain(findings[0]?.line);
    }
  });
  test("what only asks or decorates is left out where it cannot be read, with one warning, and the skill loads", () => {
    for (const [field, ...told] of [
      ["allowed-tools: *", "frontmatter-left-out"],
      ["allowed-tools: *all", "frontmatter-left-out"],
      ["allowed-tools: [a", "frontmatter-left-out"],
      ["allowed-tools: @a", "frontmatter-left-out"],
      ["keywords: *x", "frontmatter-left-out"],
      ["keywords: {a", "frontmatter-left-out"],
      ["tools: [a", "frontmatter-left-out"],
      ["arguments: [a", "frontmatter-left-out"],
      ["metadata: {a", "frontmatter-left-out"],
      ["metadata: a: b", "frontmatter-left-out"],
      ["kairox: [a", "frontmatter-left-out"],
    ]) {
      const { skill: loaded, findings } = judge(skill(`name: demo\n${field}\ndescription: D.`));
      expect([field, loaded?.fields.needs, loaded?.fields.metadata]).toEqual([field, undefined, undefined]);
      expect(loaded).toMatchObject({ name: "demo", description: "D." });
      expect(findings).toMatchObject(told.map((code) => ({ code, severity: "warning", line: 3 })));
    }
    const request = judge(skill("name: demo\ndescription: D.\nallowed-tools: Bash(git diff: *), Read"));
    expect(request.skill?.fields.needs?.allowedTools).toEqual(["Bash(git diff: *)", "Read"]);
  });
  test("a description that begins with what YAML keeps for itself is text", () => {
    for (const description of ["!important thing", "@a", "%b", "*c d"])
      expect(judge(skill(`name: demo\ndescription: ${description}`))).toMatchObject({
        skill: { description },
        findings: [{ code: "frontmatter-raw", severity: "warning", line: 3 }],
      });
  });
  test("comments that are never closed take no longer to pass over than they are", () => {
    const { head } = parse("<!--".repeat(30_000), true);
    expect(head).toMatchObject({ kind: "inferred", firstText: "<!--".repeat(30_000) });
    expect(parse("<!-- a\n-->\n# T\n<!-- b --> Text <!--c-->\n", true).head).toMatchObject({
      firstText: "Text",
    });
  });
  test("invisible characters are told, wherever the model would read them", () => {
    const codes = (text: string): readonly string[] => judge(text).findings.map(({ code }) => code);
    expect(codes(skill("name: demo\ndescription: a\u200Bb"))).toContain("skill-hidden-text");
    expect(codes(skill('name: demo\ndescription: "a\\u202Eb"'))).toContain("skill-hidden-text");
    expect(codes(skill("name: demo\ndescription: D.", "x\u{E0041}y"))).toContain("skill-hidden-text");
    expect(codes(skill("name: demo\ndescription: 说明 😀 é"))).toEqual([]);
  });
  test("the first invisible character is told with its line and its name", () => {
    for (const [text, line, name] of [
      [skill("name: demo\ndescription: a\u200Bb", "\u00AD"), 3, "U+200B, a zero-width space"],
      [skill('name: demo\ndescription: "a\\u202Eb"'), 3, "U+202E, a direction control"],
      [skill("name: demo\ndescription: D.", "\nx\u{E0041}y"), 6, "U+E0041, a tag character"],
      [`\uFEFF${skill("name: demo\r\ndescription: D.", "\r\n\r\n\u2060")}`, 7, "U+2060, a word joiner"],
      ["Text\n\u00AD", 2, "U+00AD, a soft hyphen"],
    ] as const)
      expect(judge(text, { inferred: true }).findings).toMatchObject([
        { code: "skill-hidden-text", line, message: expect.stringContaining(name) as unknown },
      ]);
  });
  test("a NUL byte below the front matter is a warning with its line, in it an error", () => {
    const text = skill("name: demo\r\ndescription: D.", "\r\na\0b");
    expect(judge(text)).toMatchObject({
      skill: { name: "demo" },
      findings: [{ code: "text-nul", severity: "warning", line: 6 }],
    });
    expect(parse(text, false).body).toBe("\na\uFFFDb");
    for (const [broken, line] of [
      [skill("name: demo\ndescription: a\0b"), 3],
      [skill("name: demo\ndescription: D.\nx: \0"), 4],
      ["Text\n\0", 2],
    ] as const)
      expect(judge(broken, { inferred: true })).toMatchObject({
        skill: null,
        findings: [{ code: "text-nul", severity: "error", line }],
      });
  });
});
