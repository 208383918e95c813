import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeNewSkill } from "./new-skill.ts";
import { createSkills } from "./skills.ts";
import { validateSkill } from "./validate.ts";
import { SkillWorld } from "./world.testkit.ts";

let world: SkillWorld;
beforeEach(() => {
  world = new SkillWorld();
});
afterEach(() => world.remove());

test("a new skill is valid, loads, and is not written over", async () => {
  const options = world.options();
  const file = await writeNewSkill({ ...options, name: "my-skill", scope: "workspace" });
  expect(file).toBe(path.join(world.workspace, ".agent/skills/my-skill/SKILL.md"));
  expect(await validateSkill(path.dirname(file))).toEqual([]);
  expect(await validateSkill(file)).toEqual([]);
  expect(await writeNewSkill({ ...options, name: "my-skill", scope: "user" })).toBe(
    world.at("home/config/skills/my-skill/SKILL.md"),
  );
  const skills = createSkills(options);
  await skills.reload();
  expect(skills.rows().map(({ name, scope, state }) => [name, scope, state])).toEqual([
    ["my-skill", "workspace", "on"],
    ["my-skill", "user", "shadowed"],
  ]);
  await expect(writeNewSkill({ ...options, name: "my-skill", scope: "workspace" })).rejects.toMatchObject({
    code: "already_exists",
  });
  await expect(writeNewSkill({ ...options, name: "../My Skill", scope: "user" })).rejects.toThrow(
    "my-skill would be one",
  );
});
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
  expect((await validateSkill(plain)).map(({ code }) => code)).toEqual([
    "skill-frontmatter-missing",
    "skill-description-missing",
  ]);
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
