import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import { createSkills, type Skills } from "./skills.ts";
import { rule, SkillWorld } from "./world.testkit.ts";

let world: SkillWorld;
beforeEach(() => {
  world = new SkillWorld();
});
afterEach(() => world.remove());

const load = async (): Promise<Skills> => {
  const skills = createSkills(world.options());
  await skills.reload();
  return skills;
};
const states = (skills: Skills): Record<string, string> =>
  Object.fromEntries(skills.rows().map(({ id, state }) => [id, state]));
const row = (skills: Skills, name: string): SkillRow => {
  const found = skills.rows().find((candidate) => candidate.name === name);
  if (!found) throw new Error(`no row ${name} in ${JSON.stringify(skills.rows())}`);
  return found;
};
const codes = (skills: Skills): string[] => skills.diagnostics().map(({ code }) => code);

describe("roots and ranks", () => {
  test("the four kinds of folders, their sources and scopes", async () => {
    world.skill(".agent/skills/one", { name: "one", description: "1" });
    world.skill(".agents/skills/two", { name: "two", description: "2" });
    world.skill(".claude/skills/three", { name: "three", description: "3" });
    world.skill(world.at("home/config/skills/four"), { name: "four", description: "4" });
    const skills = await load();
    expect(
      skills.rows().map(({ name, source, scope, state, trusted }) => [name, source, scope, state, trusted]),
    ).toEqual([
      ["four", "user-nacre", "user", "on", true],
      ["one", "project-nacre", "workspace", "on", false],
      ["three", "project-claude", "workspace", "on", false],
      ["two", "project-agents", "workspace", "on", false],
    ]);
    world.trusted = true;
    expect(row(skills, "one").trusted).toBe(true);
  });
  test("the same name: the lowest rank wins, losers say who shadows them, and come forward when it is off", async () => {
    const best = world.skill(".agent/skills/r", { name: "r", description: "hermit" });
    world.skill(".agents/skills/r", { name: "r", description: "agents" });
    world.skill(".claude/skills/r", { name: "r", description: "claude" });
    world.skill(world.at("home/config/skills/r"), { name: "r", description: "user" });
    const skills = await load();
    expect(states(skills)).toEqual({
      "skill:project-nacre/r": "on",
      "skill:project-agents/r": "shadowed",
      "skill:project-claude/r": "shadowed",
      "skill:user-nacre/r": "shadowed",
    });
    expect(skills.rows()[1]).toMatchObject({ shadowedBy: best });
    const changed = await skills.setEnabled("r", false);
    expect(changed).toMatchObject({ id: "skill:project-nacre/r", state: "off" });
    expect(states(skills)["skill:project-agents/r"]).toBe("on");
    expect(skills.catalog().text).toContain("- r: agents\n");
    expect((await skills.registry.get("r"))?.description).toBe("agents");
    expect(await skills.setEnabled("r", true, "project-nacre")).toMatchObject({ state: "on" });
  });
  test("walks up to the project root and no further; the nearest level wins", async () => {
    world.remove();
    world = new SkillWorld("apps/web");
    world.skill(".agents/skills/near", { name: "near", description: "web" });
    world.skill("../.agents/skills/near", { name: "near", description: "apps" });
    world.skill("../../.agents/skills/shared", { name: "shared", description: "root" });
    world.skill("../../../.agents/skills/above", { name: "above", description: "outside" });
    world.skill("../../.claude/skills/claude", { name: "claude", description: "root" });
    world.skill("../../.agent/skills/hermit", { name: "hermit", description: "never walks" });
    expect(states(await load())).toEqual({
      "skill:project-agents/near": "on",
      "skill:project-agents~1/near": "shadowed",
      "skill:project-agents~2/shared": "on",
      "skill:project-claude~2/claude": "on",
    });
  });
  test("a row of the table is switched off", async () => {
    world.skill(".agents/skills/a", { name: "a", description: "d" });
    world.skill(".claude/skills/b", { name: "b", description: "d" });
    const skills = await load();
    await world.switches.set("skills:project-agents", false);
    await new Promise<void>((resolve) => void skills.onChange.on(resolve));
    expect(skills.rows().map(({ name }) => name)).toEqual(["b"]);
  });
  test("flat files, where the table has them", async () => {
    world.write(".agents/skills/flat.md", "---\nname: flat\ndescription: flat\n---\nBody");
    world.write(".agents/skills/both.md", "---\nname: both\ndescription: flat\n---\nBody");
    world.skill(".agents/skills/both", { name: "both", description: "directory" });
    world.write(".agents/skills/README.md", "# Read me");
    world.write(".claude/skills/code-review.md", "---\nname: code-review\ndescription: x\n---\n");
    world.write(".claude/skills/README.md", "# Read me");
    const skills = await load();
    expect(skills.rows().map(({ name, description, state }) => [name, description, state])).toEqual([
      ["both", "directory", "on"],
      ["both", "flat", "shadowed"],
      ["flat", "flat", "on"],
    ]);
    expect(skills.diagnostics()).toMatchObject([
      {
        code: "skill-loose-file",
        path: path.join(world.workspace, ".claude/skills/code-review.md"),
        fix: "move code-review.md to code-review/SKILL.md",
      },
    ]);
  });
});

describe("what loads and what does not", () => {
  test("without front matter only where the table says so", async () => {
    const text = "# PDF\n\n---\n\nFills **forms**.\n";
    world.write(".agent/skills/forms/SKILL.md", text);
    world.write(".agents/skills/forms2/SKILL.md", text);
    const skills = await load();
    expect(row(skills, "forms")).toMatchObject({ description: "Fills **forms**.", state: "on" });
    expect(row(skills, "forms2")).toMatchObject({ state: "invalid" });
    expect(codes(skills)).toContain("skill-frontmatter-missing");
  });
  test("a block that does not parse never takes the fallback, and says its line", async () => {
    world.write(".agent/skills/bad/SKILL.md", "---\nname: bad\ndescription: [unclosed\n---\nText");
    const bad = row(await load(), "bad");
    expect(bad.state).toBe("invalid");
    expect(bad.diagnostics[0]).toMatchObject({ code: "frontmatter-yaml", severity: "error" });
    expect(bad.diagnostics[0]?.line).toBeGreaterThan(1);
    expect(bad.diagnostics[0]?.path).toBe(path.join(world.workspace, ".agent/skills/bad/SKILL.md"));
  });
  test("lenient, and strict by the setting", async () => {
    world.skill(".agents/skills/pdf", { name: "pdf-tools", description: "D." });
    world.skill(".agents/skills/doc", { description: "D." });
    expect(states(await load())).toEqual({
      "skill:project-agents/doc": "on",
      "skill:project-agents/pdf-tools": "on",
    });
    world.settings = { ...world.settings, strict: true };
    const strict = await load();
    expect(strict.rows().map(({ state }) => state)).toEqual(["invalid", "invalid"]);
    expect(strict.catalog()).toMatchObject({ text: "", cut: null });
    expect(strict.tool).toBeUndefined();
  });
  test("names: another case of the file, another alphabet, numbers", async () => {
    for (const [folder, file] of Object.entries({ a: "skill.md", b: "Skill.md", c: "SKILL.MD" }))
      world.write(`.agents/skills/${folder}/${file}`, "---\nname: a\ndescription: D.\n---\n");
    world.skill(".agents/skills/3000", { name: "3000", description: "Port helper." });
    world.skill(".agents/skills/小说拆条", { name: "小说拆条", description: "拆分小说" });
    const skills = await load();
    expect(row(skills, "3000").state).toBe("on");
    expect(row(skills, "小说拆条").state).toBe("invalid");
    expect(codes(skills).filter((code) => code === "skill-file-name")).toHaveLength(3);
    expect(skills.diagnostics().find(({ code }) => code === "skill-file-name")?.fix).toContain("to SKILL.md");
  });
  test("descriptions at the limit, counted in code points", async () => {
    world.skill(".agents/skills/a", { name: "a", description: "字".repeat(1024) });
    world.skill(".agents/skills/b", { name: "b", description: "😀".repeat(1025) });
    const skills = await load();
    expect(row(skills, "a").diagnostics).toEqual([]);
    expect(row(skills, "b").diagnostics).toMatchObject([
      { code: "skill-description-long", severity: "warning" },
    ]);
    expect(row(skills, "b").diagnostics[0]?.message).toContain("1025");
    expect(Array.from(row(skills, "b").description)).toHaveLength(1024);
  });
  test("too deep is told", async () => {
    world.skill(".agents/skills/ads/mobile/getting-started", { name: "getting-started", description: "D." });
    world.skill(".agents/skills/top", { name: "top", description: "D." });
    const skills = await load();
    expect(skills.rows().map(({ name }) => name)).toEqual(["top"]);
    expect(codes(skills)).toEqual(["skill-too-deep"]);
  });
  test("invisible text is told", async () => {
    world.skill(".agents/skills/a", { name: "a", description: "D." }, `Do it.\u{E0041}\u{E0042}`);
    expect(codes(await load())).toEqual(["skill-hidden-text"]);
  });
});

test("folders of skills that lie elsewhere may be read while they are on", async () => {
  world.skill(".agents/skills/inside", { name: "inside", description: "D." });
  const user = world.skill(world.at("home/config/skills/user"), { name: "user", description: "D." });
  world.skill(world.at("store/linked"), { name: "linked", description: "D." });
  world.link(world.at("store/linked"), ".agents/skills/linked");
  const skills = await load();
  expect(skills.readableFolders()).toEqual([world.at("store/linked"), path.dirname(user)]);
  await skills.setEnabled("user", false);
  expect(skills.readableFolders()).toEqual([world.at("store/linked")]);
  world.rules = [rule("linked", "deny")];
  expect(skills.readableFolders()).toEqual([]);
});
test("roots that are missing and folders that hold no skill yet are watched too", async () => {
  world.skill(".agents/skills/a", { name: "a", description: "D." });
  fs.mkdirSync(path.join(world.workspace, ".agents/skills/empty"));
  fs.mkdirSync(path.join(world.workspace, ".agents/skills/.git"));
  const here = (...names: string[]): string => path.join(world.workspace, ...names);
  const watched = (await load()).watchedFolders();
  for (const folder of [
    here(".agent/skills"),
    here(".agents/skills"),
    here(".agents/skills/empty"),
    here(".claude/skills"),
    world.at("home/config/skills"),
  ])
    expect(watched).toContain(folder);
  // Of a skill its own file counts, whatever else is written beside it.
  expect(watched).toContainEqual({ folder: here(".agents/skills/a"), names: new Set(["SKILL.md"]) });
  expect(JSON.stringify(watched)).not.toContain(".git");
});

test("a skill with thousands of files in it is one watched folder, of which one name counts", async () => {
  world.skill(".agents/skills/big", { name: "big", description: "D." });
  const few = (await load()).watchedFolders().length;
  for (let index = 0; index < 300; index++) world.write(`.agents/skills/big/data/${index}/page.md`, "x");
  world.skill(".agents/skills/big/nested", { name: "nested", description: "D." });
  const skills = await load();
  expect(skills.watchedFolders()).toHaveLength(few);
  expect(JSON.stringify(skills.watchedFolders())).not.toContain(`big${path.sep}`);
  expect(skills.rows().map(({ name }) => name)).toEqual(["big"]);
});
test("a folder of skills that was wiped is missing, which is no decision: what comes back counts as before", async () => {
  const bundled = world.at("app/skills");
  world.skill(path.join(bundled, "shipped"), { name: "shipped", description: "D." });
  const open = async (): Promise<Skills> => {
    const skills = createSkills({ ...world.options(), bundled });
    await skills.reload();
    await skills.saveIndex();
    return skills;
  };
  expect(states(await open())).toEqual({ "skill:bundled/shipped": "on" });
  fs.rmSync(bundled, { recursive: true });
  for (let start = 0; start < 2; start++) {
    const skills = await open();
    expect(skills.rows()).toEqual([]);
    expect(skills.look().scans.find(({ root }) => root.path === bundled)).toMatchObject({ exists: false });
    expect(skills.diagnostics()).toEqual([]);
  }
  world.skill(path.join(bundled, "shipped"), { name: "shipped", description: "D." });
  expect(states(await open())).toEqual({ "skill:bundled/shipped": "on" });
});
test("what lies in a user-level folder is the user's own, whatever way leads there", async () => {
  world.skill(world.at("home/.claude/skills/mine"), { name: "mine", description: "D." });
  world.skill(world.at("home/.claude/skills/other"), { name: "other", description: "D." });
  world.skill(".claude/skills/theirs", { name: "theirs", description: "D." });
  world.link(world.at("home/.claude/skills/mine"), ".claude/skills/mine");
  const skills = await load();
  const trusted = (): unknown => skills.rows().map(({ source, name, trusted: own }) => [source, name, own]);
  expect(trusted()).toEqual([
    ["project-claude", "mine", true],
    ["user-claude", "other", true],
    ["project-claude", "theirs", false],
  ]);
});
test("the home folder as workspace: its skills are the user's own and listed once", async () => {
  const home = world.at("home");
  world.skill(world.at("home/.agents/skills/mine"), { name: "mine", description: "D." });
  const skills = createSkills({ ...world.options(), workspace: home });
  await skills.reload();
  expect(skills.rows()).toMatchObject([{ source: "project-agents", trusted: true, state: "on" }]);
});

describe("links", () => {
  test("a linked skill, a linked root and the same skill by two ways", async () => {
    world.skill("store/wrap-up", { name: "wrap-up", description: "Close the day." });
    world.skill(".agents/skills/plain", { name: "plain", description: "D." });
    world.link(world.at("project/store/wrap-up"), ".agents/skills/wrap-up");
    world.link(world.at("project/.agents/skills"), ".claude/skills");
    const skills = await load();
    expect(states(skills)).toEqual({
      "skill:project-agents/plain": "on",
      "skill:project-agents/wrap-up": "on",
    });
    expect(row(skills, "wrap-up").path).toBe(path.join(world.workspace, ".agents/skills/wrap-up/SKILL.md"));
    expect(skills.watchedFolders()).toContainEqual({
      folder: path.join(world.workspace, ".agents/skills/wrap-up"),
      names: new Set(["SKILL.md"]),
    });
    expect(skills.diagnostics()).toEqual([]);
  });
  test("links to nothing, to a file, to themselves and to what holds them are told and passed over", async () => {
    world.skill(".agents/skills/ok", { name: "ok", description: "D." });
    world.write("note.txt", "text");
    world.link(world.at("nowhere"), ".agents/skills/dangling");
    world.link(world.at("project/note.txt"), ".agents/skills/file");
    world.link("loop", ".agents/skills/loop");
    world.link(world.at("project/.agents"), ".agents/skills/up");
    world.link(world.at("nowhere"), ".agents/skills/half/SKILL.md");
    const skills = await load();
    expect(skills.rows().map(({ name }) => name)).toEqual(["ok"]);
    const told = skills.diagnostics().map(({ code, path: at }) => `${code} ${path.basename(at ?? "")}`);
    expect(told.sort()).toEqual([
      "skill-link SKILL.md",
      "skill-link dangling",
      "skill-link file",
      "skill-link-cycle loop",
      "skill-link-cycle up",
    ]);
  });
  test("the first line of a foreign file never becomes a description", async () => {
    world.write(world.at("home/.ssh/id_rsa"), "-----BEGIN KEY-----\nsecret\n");
    world.link(world.at("home/.ssh/id_rsa"), ".agent/skills/key/SKILL.md");
    const skills = await load();
    expect(row(skills, "key").state).toBe("invalid");
    expect(JSON.stringify(skills.rows())).not.toContain("BEGIN KEY");
    await expect(skills.reader.load(skills.reader.find("key").entry)).rejects.toMatchObject({
      code: "configuration",
    });
  });
  test("a root that is a file, and a skill whose file is a folder", async () => {
    world.write(".claude/skills", "text");
    fs.mkdirSync(path.join(world.workspace, ".agents/skills/odd/SKILL.md"), { recursive: true });
    world.skill(".agents/skills/ok", { name: "ok", description: "D." });
    const skills = await load();
    expect(skills.rows().map(({ name }) => name)).toEqual(["ok"]);
    expect(codes(skills).sort()).toEqual(["skill-unreadable", "skills-root-unreadable"]);
  });
});
