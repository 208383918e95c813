import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import { sha256 } from "../kit/files.ts";
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

describe("permission", () => {
  test("a denied pattern is hidden and refused; a role's own rules come last", async () => {
    for (const name of ["lark-doc", "lark-mail", "other"])
      world.skill(`.agents/skills/${name}`, { name, description: "D." });
    world.rules = [rule("*", "allow"), rule("lark-*", "deny")];
    world.roleRules = { plan: [rule("lark-doc", "allow")] };
    const skills = await load();
    expect(row(skills, "lark-doc").state).toBe("denied");
    expect(skills.catalog().text).not.toContain("lark-");
    expect(skills.catalog().text).toContain("- other: D.");
    expect(skills.catalog("plan").text).toContain("- lark-doc: D.");
    expect(skills.catalog("plan").text).not.toContain("lark-mail");
    await expect(
      skills.commands[1]?.run("lark-doc", {
        sessionId: null,
        onOutput: () => undefined,
        signal: new AbortController().signal,
      }),
    ).rejects.toMatchObject({ code: "denied" });
  });
  test("hidden from the model is not hidden from the person, and the other way round", async () => {
    world.skill(".agents/skills/wrap", {
      name: "wrap",
      description: "D.",
      "disable-model-invocation": "true",
    });
    world.skill(".agents/skills/inner", { name: "inner", description: "D.", "user-invocable": "no" });
    world.skill(".agents/skills/odd", {
      name: "odd",
      description: "D.",
      "disable-model-invocation": "maybe",
    });
    const skills = await load();
    expect(skills.catalog().text.match(/^- .*$/gm)).toEqual(["- inner: D."]);
    expect(row(skills, "wrap").state).toBe("on");
    expect(codes(skills)).toEqual(["skill-switch"]);
    const context = { sessionId: null, onOutput: () => undefined, signal: new AbortController().signal };
    const [, command] = skills.commands;
    expect(await command?.run("wrap do it", context)).toMatchObject({ kind: "prompt" });
    await expect(command?.run("inner", context)).rejects.toThrow("for the model alone");
  });
});

describe("plugins", () => {
  test("named plugin:name; the bare name works while it is the only one; a waiting plugin's is untrusted", async () => {
    world.skill("p/telegram/skills/configure", { name: "configure", description: "telegram" });
    world.skill("p/signal/skills/configure", { name: "configure", description: "signal" });
    const skills = await load();
    const heard = (): Promise<void> => new Promise((resolve) => void skills.onChange.on(resolve));
    let wait = heard();
    const remove = skills.addRoot({
      plugin: "telegram",
      path: path.join(world.workspace, "p/telegram/skills"),
      trusted: true,
    });
    await wait;
    expect(states(skills)).toEqual({ "skill:telegram/configure": "on" });
    expect((await skills.registry.get("configure"))?.description).toBe("telegram");
    wait = heard();
    skills.addRoot({ plugin: "signal", path: path.join(world.workspace, "p/signal/skills"), trusted: true });
    await wait;
    expect((await skills.registry.get("signal:configure"))?.description).toBe("signal");
    expect(await skills.registry.get("configure")).toBeUndefined();
    await expect(Promise.resolve().then(() => skills.reader.find("configure"))).rejects.toThrow(
      "signal:configure, telegram:configure",
    );
    await remove();
    await skills.settled();
    expect(skills.rows().map(({ name }) => name)).toEqual(["signal:configure"]);
    expect(skills.contributions("signal")).toMatchObject([
      {
        id: "skill:signal/configure",
        kind: "skill",
        name: "signal:configure",
        scope: "plugin",
        state: "on",
        enabled: true,
      },
    ]);
    wait = heard();
    skills.addRoot({
      plugin: "waiting",
      path: path.join(world.workspace, "p/telegram/skills"),
      trusted: false,
    });
    await wait;
    expect(row(skills, "waiting:configure")).toMatchObject({ state: "untrusted", trusted: false });
    expect(skills.catalog().text).not.toContain("waiting");
    expect(await skills.registry.get("waiting:configure")).toBeUndefined();
  });
  test("a folder that is one skill itself", async () => {
    world.skill("p/pdf", { name: "pdf", description: "D." });
    const skills = createSkills(world.options());
    skills.addRoot({
      plugin: "docs",
      path: path.join(world.workspace, "p/pdf"),
      trusted: true,
      single: true,
    });
    await skills.reload();
    expect(states(skills)).toEqual({ "skill:docs/pdf": "on" });
  });
});

test("what a provider listed last stands while it cannot list, and counts for nothing once it is gone", async () => {
  const skills = createSkills({ ...world.options(), log: { ...world.options().log, warn: () => undefined } });
  let fails = false;
  const remove = skills.registry.registerProvider({
    name: "remote",
    list: async () => {
      if (fails) throw new Error("the server is down");
      return [{ name: "far", description: "D.", source: "remote", provider: "remote", rank: 10, locator: 1 }];
    },
    get: async () => undefined,
  });
  await skills.reload();
  fails = true;
  world.skill(".agents/skills/near", { name: "near", description: "D." });
  await skills.reload();
  expect(skills.rows().map(({ name }) => name)).toEqual(["far", "near"]);
  await remove();
  await skills.settled();
  expect(skills.rows().map(({ name }) => name)).toEqual(["near"]);
});

describe("reload and index", () => {
  test("adds, renames and removes; every list agrees", async () => {
    const skills = await load();
    const all = async (): Promise<unknown[]> => [
      skills.rows().map(({ name }) => name),
      (skills.catalog().text.match(/^- (.*):/gm) ?? []).map((line) => line.slice(2, -1)),
      (await skills.registry.list({ cwd: world.workspace })).map(({ name }) => name),
    ];
    world.skill(".agents/skills/z", { name: "z", description: "D." });
    await skills.reload();
    expect(await all()).toEqual([["z"], ["z"], ["z"]]);
    world.skill(".agents/skills/z", { name: "renamed", description: "D." });
    await skills.reload();
    expect(await all()).toEqual([["renamed"], ["renamed"], ["renamed"]]);
    fs.rmSync(path.join(world.workspace, ".agents"), { recursive: true });
    await skills.reload();
    expect(await all()).toEqual([[], [], []]);
    expect(skills.tool).toBeUndefined();
  });
  test("a warm start parses nothing and says the same", async () => {
    world.skill(".agents/skills/a", { name: "a", description: "Use when: now" });
    world.skill(".agents/skills/b", { description: "x" });
    world.write(".agents/skills/broken/SKILL.md", "---\n[\n---\n");
    const cold = await load();
    await cold.saveIndex();
    // The same size, times and inode: only the index can know what stood there.
    const file = path.join(world.workspace, ".agents/skills/a/SKILL.md");
    const index = fs
      .readdirSync(world.at("home/cache/skills"))
      .map((name) => world.at("home/cache/skills", name));
    expect(index).toHaveLength(1);
    const [version = "", line = ""] = fs.readFileSync(index[0] ?? "", "utf8").split("\n");
    const changed = line.slice(line.indexOf(" ") + 1).replace("Use when: now", "from the index");
    fs.writeFileSync(index[0] ?? "", `${version}\n${sha256(changed).slice(0, 16)} ${changed}\n`);
    const warm = await load();
    expect(row(warm, "a").description).toBe("from the index");
    expect(warm.diagnostics()).toEqual(cold.diagnostics());
    fs.writeFileSync(file, "---\nname: a\ndescription: changed\n---\n");
    expect(row(await load(), "a").description).toBe("changed");
  });
  test("the same colon twice, after a reload and in a second workspace's room", async () => {
    world.skill(".agents/skills/demo", { name: "demo", description: "Use when: needed" });
    const skills = await load();
    await skills.reload();
    expect(row(skills, "demo").description).toBe("Use when: needed");
    expect(row(await load(), "demo").state).toBe("on");
  });
  test("a file that names another skill by now is no longer available", async () => {
    world.skill(".agents/skills/a", { name: "a", description: "D." });
    const skills = await load();
    world.skill(".agents/skills/a", { name: "b", description: "D." });
    expect(await skills.registry.get("a", { cwd: world.workspace })).toBeUndefined();
    await skills.reload();
    expect(skills.rows().map(({ name }) => name)).toEqual(["b"]);
  });
  test("another working directory has its own catalog", async () => {
    world.skill(".agents/skills/here", { name: "here", description: "D." });
    world.skill("sub/.agents/skills/there", { name: "there", description: "D." });
    const skills = await load();
    const list = await skills.registry.list({ cwd: path.join(world.workspace, "sub") });
    expect(list.map(({ name }) => name)).toEqual(["here", "there"]);
    expect(skills.rows().map(({ name }) => name)).toEqual(["here"]);
  });
});

test("rows and catalog are made once for the same skills, and anew for others", async () => {
  world.skill(".agents/skills/pdf", { name: "pdf", description: "Reads." });
  world.skill(".agents/skills/xls", { name: "xls", description: "Counts." });
  const skills = await load();
  const [rows, catalog] = [skills.rows(), skills.catalog()];
  expect(skills.rows()).toBe(rows);
  expect(skills.catalog()).toBe(catalog);
  world.trusted = true;
  expect(row(skills, "pdf").trusted).toBe(true);
  world.settings = { ...world.settings, catalogDescriptionMaxLength: 4 };
  expect(skills.catalog().text).toContain("- pdf: Rea…");
  await skills.setEnabled("xls", false);
  expect(row(skills, "xls").state).toBe("off");
  expect(skills.catalog().text).not.toContain("xls");
});
test("a skill is loaded with its text and its metadata, and one of its files can be read", async () => {
  world.write(
    ".agent/skills/pdf/SKILL.md",
    "---\nname: pdf\ndescription: D.\nmetadata:\n  audience: all\n  version: 1.0\nunknown: kept\n---\n# PDF\n---\nend\n",
  );
  world.write(".agent/skills/pdf/scripts/fill.py", "print()");
  world.write(".agent/skills/pdf/reference.md", "Reference");
  const skills = await load();
  const { reader } = skills;
  const pdf = await reader.load(reader.find("pdf").entry);
  expect(pdf).toMatchObject({
    name: "pdf",
    description: "D.",
    content: "# PDF\n---\nend\n",
    path: path.join(world.workspace, ".agent/skills/pdf/SKILL.md"),
    metadata: { audience: "all", version: "1.0" },
  });
  expect(await reader.file(pdf, "reference.md")).toBe("Reference");
  expect(() => reader.find("other")).toThrow("there is no skill other");
  expect(skills.diagnostics()).toEqual([]);
});

test("a skill is loaded by its own provider, whoever has its name: a file's, one in memory, one switched off", async () => {
  world.skill(".agents/skills/pdf", { name: "pdf", description: "D." }, "FILE BODY");
  const skills = await load();
  const { registry, reader } = skills;
  const remove = registry.register({
    name: "pdf",
    description: "D.",
    source: "custom",
    content: "RUNTIME BODY",
  });
  registry.registerProvider({
    name: "far",
    list: async () => [
      { name: "pdf", description: "D.", source: "far", provider: "far", rank: 10, locator: 7 },
    ],
    get: async ({ name, locator }) => ({
      name,
      description: "D.",
      source: "far",
      provider: "far",
      content: `FAR BODY ${String(locator)}`,
    }),
  });
  await skills.reload();
  const bodies = async (): Promise<unknown> =>
    Object.fromEntries(
      await Promise.all(
        skills
          .look()
          .resolved.map(async ({ entry }) => [entry.source, (await reader.load(entry)).content.trim()]),
      ),
    );
  const each = { far: "FAR BODY 7", "project-agents": "FILE BODY", custom: "RUNTIME BODY" };
  expect(await bodies()).toEqual(each);
  await skills.setEnabled("pdf", false, "far");
  await skills.setEnabled("pdf", false, "custom");
  expect(await bodies()).toEqual(each);
  const { entry } = reader.find("pdf", "custom");
  await remove();
  await expect(reader.load(entry)).rejects.toMatchObject({ code: "not_found" });
});
test("/skills lists, reloads and switches; /skill sends the body with the text", async () => {
  world.skill(".agents/skills/pdf", { name: "pdf", description: "Fills forms." }, "Do it.");
  const skills = await load();
  const context = { sessionId: null, onOutput: () => undefined, signal: new AbortController().signal };
  const [list, use] = skills.commands;
  expect(await list?.run("", context)).toMatchObject({
    kind: "text",
    text: expect.stringContaining("pdf (on, project-agents): Fills forms."),
  });
  expect(await list?.run("disable pdf", context)).toMatchObject({
    text: expect.stringContaining("pdf (off"),
  });
  await expect(use?.run("pdf", context)).rejects.toThrow("switched off");
  expect(await list?.run("enable pdf", context)).toMatchObject({ text: expect.stringContaining("pdf (on") });
  expect(await list?.run("reload", context)).toEqual({ kind: "text", text: "1 skill is on." });
  expect(await list?.run("nonsense", context)).toMatchObject({ isError: true });
  const sent = await use?.run("pdf fill a.pdf\nand b.pdf", context);
  expect(sent).toMatchObject({
    kind: "prompt",
    prompt: expect.stringMatching(
      /^<skill_content name="pdf">[\s\S]*Do it\.[\s\S]*\n\nfill a.pdf\nand b.pdf$/,
    ),
  });
});
