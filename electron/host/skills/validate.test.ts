import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { validateSkill } from "./validate.ts";
import { SkillWorld } from "./world.testkit.ts";

let world: SkillWorld;
beforeEach(() => {
  world = new SkillWorld();
});
afterEach(() => world.remove());

test("validation is strict and names file, line and fix", async () => {
  const file = world.skill("x/pdf", { name: "pdf-tools", description: "D." });
  expect(await validateSkill(path.dirname(file))).toMatchObject([
    {
      code: "skill-name-differs",
      severity: "error",
      path: file,
      line: 2,
      fix: "rename the folder to pdf-tools",
    },
  ]);
  const plain = world.write("x/plain/SKILL.md", "# Title\nText\n");
  expect((await validateSkill(plain)).map(({ code }) => code)).toEqual(["skill-frontmatter-missing"]);
  const flat = world.write("x/flat.md", "---\nname: flat\ndescription: D.\n---\n");
  expect(await validateSkill(flat)).toEqual([]);
  world.write("x/lower/skill.md", "");
  expect(await validateSkill(path.join(world.workspace, "x/lower"))).toMatchObject([
    { code: "skill-file-name" },
  ]);
  expect(await validateSkill(path.join(world.workspace, "x"))).toMatchObject([
    { code: "skill-unreadable", severity: "error" },
  ]);
  expect(await validateSkill(path.join(world.workspace, "none"))).toMatchObject([
    { code: "skill-unreadable" },
  ]);
});

test("what loads with a warning elsewhere is an error here, with the same words", async () => {
  const colon = world.write("x/colon/SKILL.md", "---\nname: colon\ndescription: Use when: needed.\n---\n");
  expect(await validateSkill(colon)).toMatchObject([
    {
      code: "frontmatter-colon",
      severity: "error",
      line: 3,
      message: expect.stringContaining("unquoted ': '") as unknown,
    },
  ]);
  const mixed = world.write(
    "x/mixed/SKILL.md",
    "\n---\nname: mixed\ndescription: D.\nlicense: 1.0\nuser-invocable: perhaps\nmetadata:\n  tags: [a]\n---\n",
  );
  const found = await validateSkill(mixed);
  expect(found.map(({ code, line, severity }) => `${severity} ${code} ${line}`)).toEqual([
    "error frontmatter-not-first 1",
    "error skill-field-coerced 5",
    "info skill-metadata-foreign 7",
    "error skill-switch 6",
  ]);
});
test("a file that is no text is told with its byte; one that is called otherwise with its name", async () => {
  const bytes = world.write("x/bytes/SKILL.md", "");
  writeFileSync(bytes, Buffer.from("---\nname: bytes\ndescription: caf\xe9\n---\n", "latin1"));
  expect(await validateSkill(bytes)).toMatchObject([
    { code: "text-not-utf-8", line: 3, path: bytes, message: "byte 0xE9 at offset 32 (line 3) is no UTF-8" },
  ]);
  const wide = world.write("x/wide/SKILL.md", "");
  writeFileSync(wide, "\uFEFF---\nname: wide\n---\n", "utf16le");
  expect(await validateSkill(wide)).toMatchObject([{ code: "text-utf-16" }]);
  const lower = world.write("x/lower/skill.md", "---\nname: lower\ndescription: D.\n---\n");
  expect(await validateSkill(lower)).toMatchObject([
    { code: "skill-file-name", fix: "rename skill.md to SKILL.md" },
  ]);
  const huge = world.write(
    "x/huge/SKILL.md",
    `---\nname: huge\ndescription: D.\n---\n${"x".repeat(1024 * 1024)}`,
  );
  expect(await validateSkill(huge)).toMatchObject([{ code: "skill-unreadable", severity: "error" }]);
});
