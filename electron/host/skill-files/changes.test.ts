import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { validateSkill } from "../skills/validate.ts";
import { ManagedWorld } from "./world.testkit.ts";

let managed: ManagedWorld;
beforeEach(() => (managed = new ManagedWorld()));
afterEach(() => managed.close());
const show = (name: string, source?: string) => managed.call("skills.show", { id: managed.id(name, source) });
/** Writes as the window does: what was shown, then the new text. */
const write = async (name: string, text: string) => {
  const { id, digest } = await show(name);
  return managed.call("skills.write", { id, text, digest });
};
const text = (name: string, more = ""): string => `---\nname: ${name}\ndescription: New.\n---\n${more}`;

describe("making a skill", () => {
  test("lands in the folder of its scope and is on at once", async () => {
    await managed.open();
    expect(await managed.call("skills.create", { name: "notes", scope: "workspace" })).toMatchObject({
      path: managed.at("ws/.agent/skills/notes/SKILL.md"),
      state: "on",
    });
    expect(await managed.call("skills.create", { name: "mine", scope: "user" })).toMatchObject({
      path: managed.at("config/skills/mine/SKILL.md"),
      state: "on",
    });
  });
  test("what it begins with is valid strictly, so that a person starts without a warning", async () => {
    await managed.open();
    const { path: file } = await managed.call("skills.create", { name: "notes", scope: "workspace" });
    expect(await validateSkill(file)).toEqual([]);
    expect(await validateSkill(path.dirname(file))).toEqual([]);
  });
  test("a name that is taken, or none, writes nothing", async () => {
    managed.skill("notes");
    await managed.open();
    const before = managed.tree("ws");
    await expect(managed.call("skills.create", { name: "notes", scope: "workspace" })).rejects.toMatchObject({
      code: "already_exists",
    });
    for (const name of ["../out", "", "a/b", "My Skill", "__proto__", "x".repeat(65), ".."])
      await expect(managed.call("skills.create", { name, scope: "user" })).rejects.toMatchObject({
        code: "invalid_input",
      });
    expect(managed.tree("ws")).toEqual(before);
    expect(managed.tree("config")).toEqual({});
  });
  test("in a row of the table that is switched off nothing is made, and that is told first", async () => {
    managed.world.write("config/settings.json", '{"switches": {"skills:user-nacre": false}}');
    await managed.open();
    await expect(managed.call("skills.create", { name: "mine", scope: "user" })).rejects.toMatchObject({
      code: "configuration",
      message: expect.stringContaining('take "skills:user-nacre" out of "switches"') as unknown,
    });
    expect(Object.keys(managed.tree("config"))).toEqual(["settings.json"]);
  });
  test("a workspace's folder that is a link out of it takes nothing in", async () => {
    fs.mkdirSync(managed.at("elsewhere"));
    fs.mkdirSync(managed.at("ws/.agent"));
    fs.symlinkSync(managed.at("elsewhere"), managed.at("ws/.agent/skills"));
    await managed.open();
    await expect(managed.call("skills.create", { name: "notes", scope: "workspace" })).rejects.toMatchObject({
      code: "denied",
    });
    expect(managed.tree("elsewhere")).toEqual({});
  });
  test("the user's folder that is a link into another system's takes nothing in, and the error says where it leads", async () => {
    fs.mkdirSync(managed.at("home/.claude/skills"), { recursive: true });
    fs.symlinkSync(managed.at("home/.claude/skills"), managed.at("config/skills"));
    await managed.open();
    await expect(managed.call("skills.create", { name: "notes", scope: "user" })).rejects.toMatchObject({
      code: "denied",
      message: expect.stringMatching(
        /config\/skills is a link into user-claude, to .*\.claude\/skills; /,
      ) as unknown,
    });
    expect(managed.tree("home")).toEqual({});
  });
  test("the user's folder that is a link to a place of the person's own takes a skill in, as it is edited there", async () => {
    fs.mkdirSync(managed.at("home/dotfiles/skills"), { recursive: true });
    fs.symlinkSync(managed.at("home/dotfiles/skills"), managed.at("config/skills"));
    await managed.open();
    const { path: file } = await managed.call("skills.create", { name: "notes", scope: "user" });
    expect(file).toBe(managed.at("config/skills/notes/SKILL.md"));
    await write("notes", text("notes", "Body.\n"));
    expect(managed.tree("home/dotfiles/skills")).toEqual({ "notes/SKILL.md": text("notes", "Body.\n") });
  });
  test("a user's folder that is a link into another folder of skills takes nothing in, whose that is and whether it is on", async () => {
    const settings = { skills: { dirs: [managed.at("team")] }, switches: { "skills:custom": false } };
    managed.world.write("config/settings.json", JSON.stringify(settings));
    for (const place of ["team", "ws/.agents/skills", "home/.agents/skills/deep", "cst/skills"]) {
      fs.mkdirSync(managed.at(place), { recursive: true });
      fs.symlinkSync(managed.at(place), managed.at("config/skills"));
      await managed.open();
      await expect(managed.call("skills.create", { name: "notes", scope: "user" })).rejects.toMatchObject({
        code: "denied",
      });
      expect(managed.tree(place)).toEqual({});
      fs.unlinkSync(managed.at("config/skills"));
    }
  });
  test("a folder of skills that is a link into a plugin takes nothing in; one to a place beside it does", async () => {
    for (const top of ["config", "ws/.agent"]) {
      fs.mkdirSync(managed.at(top, "plugins/docs/skills"), { recursive: true });
      fs.symlinkSync("plugins/docs/skills", managed.at(top, "skills"));
    }
    await managed.open();
    for (const scope of ["user", "workspace"] as const)
      await expect(managed.call("skills.create", { name: "notes", scope })).rejects.toMatchObject({
        code: "denied",
        message: expect.stringContaining("belongs to a plugin") as unknown,
      });
    fs.unlinkSync(managed.at("config/skills"));
    fs.mkdirSync(managed.at("config/mine"));
    fs.symlinkSync("mine", managed.at("config/skills"));
    await managed.call("skills.create", { name: "notes", scope: "user" });
    expect(Object.keys(managed.tree("config/mine"))).toEqual(["notes/SKILL.md"]);
  });
  test("a folder of the app's own that is a link as a whole is nothing to be told", async () => {
    fs.rmdirSync(managed.at("config"));
    fs.mkdirSync(managed.at("dotfiles"));
    fs.symlinkSync("dotfiles", managed.at("config"));
    await managed.open();
    await managed.call("skills.create", { name: "notes", scope: "user" });
    expect(Object.keys(managed.tree("dotfiles"))).toContain("skills/notes/SKILL.md");
  });
});

describe("writing a skill's file", () => {
  test("replaces it as it was shown, keeps its mode, and the lists tell of it", async () => {
    const file = managed.skill("pdf");
    fs.chmodSync(file, 0o640);
    await managed.open();
    expect(await write("pdf", text("pdf", "Body.\n"))).toMatchObject({ description: "New.", path: file });
    expect(fs.readFileSync(file, "utf8")).toBe(text("pdf", "Body.\n"));
    expect(fs.statSync(file).mode & 0o777).toBe(0o640);
    expect(fs.readdirSync(path.dirname(file))).toEqual(["SKILL.md"]);
  });
  test("what changed since it was shown is not overwritten", async () => {
    const file = managed.skill("pdf");
    await managed.open();
    const { id, digest } = await show("pdf");
    fs.appendFileSync(file, "by somebody else\n");
    const before = fs.readFileSync(file, "utf8");
    await expect(managed.call("skills.write", { id, text: "x", digest })).rejects.toMatchObject({
      code: "denied",
    });
    await expect(managed.call("skills.write", { id, text: "x", digest: "guess" })).rejects.toMatchObject({
      code: "denied",
    });
    expect(fs.readFileSync(file, "utf8")).toBe(before);
  });
  test("a text that makes no skill is written all the same, and its fault is told", async () => {
    managed.skill("pdf");
    await managed.open();
    expect(await write("pdf", "---\nname: pdf\n---\n")).toMatchObject({
      state: "invalid",
      diagnostics: [{ code: "skill-description-missing" }],
    });
    expect(await show("pdf")).toMatchObject({ text: "---\nname: pdf\n---\n", editable: true });
  });
  test("a new name in the text is the new name of the same file", async () => {
    const file = managed.skill("pdf");
    await managed.open();
    expect(await write("pdf", text("forms"))).toMatchObject({ name: "forms", path: file, state: "on" });
  });
  test.each([
    ["CRLF", "---\r\nname: pdf\r\ndescription: D.\r\n---\r\nBody.\r\n", "\r\n"],
    ["a lone CR", "---\rname: pdf\rdescription: D.\r---\rBody.\r", "\r"],
    ["LF", "---\nname: pdf\ndescription: D.\n---\nBody.\n", "\n"],
  ])("a file with %s keeps it, whatever a text area made of it", async (_name, before, end) => {
    const file = managed.world.write("ws/.agent/skills/pdf/SKILL.md", before);
    await managed.open();
    await write("pdf", text("pdf", "Two\nlines.\n"));
    expect(fs.readFileSync(file, "utf8")).toBe(text("pdf", "Two\nlines.\n").replaceAll("\n", end));
  });
  test("a byte-order mark and mixed line ends are written as they are given", async () => {
    const file = managed.world.write("ws/.agent/skills/pdf/SKILL.md", `\uFEFF${text("pdf", "a\r\nb\n")}`);
    await managed.open();
    const { text: shown } = await show("pdf");
    await write("pdf", `${shown}c\n`);
    expect(fs.readFileSync(file, "utf8")).toBe(`\uFEFF${text("pdf", "a\r\nb\nc\n")}`);
  });
  test("more than 1 MB, NUL and half a character are refused, whoever the skill is", async () => {
    const file = managed.skill("pdf");
    await managed.open();
    const before = fs.readFileSync(file, "utf8");
    for (const bad of ["x".repeat(1024 * 1024 + 1), "a\0b", "a\uD800b"])
      await expect(write("pdf", bad)).rejects.toMatchObject({ code: "invalid_input" });
    expect(fs.readFileSync(file, "utf8")).toBe(before);
  });
  test("a skill folder that is a link is written at its real place, which is shown", async () => {
    managed.skill("tool", { root: "store" });
    fs.mkdirSync(managed.at("ws/.agent/skills"), { recursive: true });
    fs.symlinkSync(managed.at("store/tool"), managed.at("ws/.agent/skills/tool"));
    await managed.open();
    expect(await show("tool")).toMatchObject({ realPath: managed.at("store/tool/SKILL.md") });
    await write("tool", text("tool"));
    expect(fs.readFileSync(managed.at("store/tool/SKILL.md"), "utf8")).toBe(text("tool"));
    expect(fs.lstatSync(managed.at("ws/.agent/skills/tool")).isSymbolicLink()).toBe(true);
  });
  test("a link that was put in a folder's place since it was shown is another file, of the same text or not", async () => {
    const file = managed.skill("pdf");
    await managed.open();
    const { id, digest } = await show("pdf");
    const victim = managed.world.write("victim/SKILL.md", fs.readFileSync(file, "utf8"));
    fs.rmSync(path.dirname(file), { recursive: true });
    fs.symlinkSync(managed.at("victim"), path.dirname(file));
    await expect(managed.call("skills.write", { id, text: text("pdf"), digest })).rejects.toMatchObject({
      code: "denied",
    });
    expect(fs.readFileSync(victim, "utf8")).toContain("About pdf.");
  });
  test("a file that is a link out of its folder is never written through", async () => {
    const victim = managed.world.write("victim.md", text("pdf"));
    fs.mkdirSync(managed.at("ws/.agent/skills/pdf"), { recursive: true });
    fs.symlinkSync(victim, managed.at("ws/.agent/skills/pdf/SKILL.md"));
    await managed.open();
    expect(await show("pdf")).toMatchObject({ editable: false });
    await expect(write("pdf", "x")).rejects.toMatchObject({ code: "denied" });
    expect(fs.readFileSync(victim, "utf8")).toBe(text("pdf"));
  });
  test("Hermit's files and what is marked read-only are left as they are", async () => {
    managed.skill("theirs", { root: "cst/skills" });
    fs.chmodSync(managed.skill("fixed"), 0o444);
    await managed.open();
    const rows = managed.host.skills.rows().map(({ name }) => name);
    for (const name of ["theirs", "fixed"].filter((one) => rows.includes(one))) {
      expect(await show(name)).toMatchObject({ editable: false });
      await expect(write(name, "x")).rejects.toThrow();
    }
    expect(rows).toContain("fixed");
    expect(managed.tree("cst")["skills/theirs/SKILL.md"]).toContain("About theirs.");
  });
});

describe("removing a skill", () => {
  const remove = async (name: string, source?: string) =>
    managed.call("skills.remove", { id: managed.id(name, source) });
  const names = () => managed.host.skills.rows().map(({ name }) => name);

  test("takes its whole folder to the trash, and undoing brings it back, also after a restart", async () => {
    managed.skill("pdf");
    managed.world.write("ws/.agent/skills/pdf/scripts/fill.py", "pass");
    const before = managed.tree("ws/.agent");
    await managed.open();
    const { undo, place } = await remove("pdf");
    expect(names()).toEqual([]);
    expect(managed.tree("ws/.agent")).toEqual({});
    expect(place?.startsWith(managed.at("data/trash"))).toBe(true);
    await managed.open();
    await managed.call("skills.restore", { undo: undo ?? "" });
    expect(managed.tree("ws/.agent")).toEqual(before);
    expect(names()).toEqual(["pdf"]);
  });
  test("a flat file goes alone", async () => {
    managed.world.write("ws/.agents/skills/flat.md", text("flat"));
    managed.world.write("ws/.agents/skills/README.md", "Read me.");
    await managed.open();
    await remove("flat");
    expect(Object.keys(managed.tree("ws/.agents"))).toEqual(["skills/README.md"]);
  });
  test("of a linked skill the link goes alone, and that is said", async () => {
    managed.skill("tool", { root: "store" });
    fs.mkdirSync(managed.at("ws/.agent/skills"), { recursive: true });
    fs.symlinkSync(managed.at("store/tool"), managed.at("ws/.agent/skills/tool"));
    await managed.open();
    const { undo, linkTo } = await remove("tool");
    expect(linkTo).toBe(managed.at("store/tool"));
    expect(managed.tree("store")["tool/SKILL.md"]).toContain("About tool.");
    expect(managed.tree("ws/.agent")).toEqual({});
    await managed.call("skills.restore", { undo: undo ?? "" });
    expect(names()).toEqual(["tool"]);
  });
  test("the next one of the name comes forward, and the removed one wins it again when it is back", async () => {
    managed.skill("pdf");
    managed.skill("pdf", { root: "config/skills" });
    await managed.open();
    const { undo } = await remove("pdf", "project-nacre");
    expect(managed.host.skills.rows()).toMatchObject([{ source: "user-nacre", state: "on" }]);
    await managed.call("skills.restore", { undo: undo ?? "" });
    expect(managed.host.skills.rows()).toMatchObject([{ source: "project-nacre", state: "on" }, {}]);
  });
  test("what does not load can be removed too", async () => {
    managed.world.write("ws/.agent/skills/broken/SKILL.md", "---\nname: [\n---\n");
    await managed.open();
    await remove("broken");
    expect(managed.tree("ws/.agent")).toEqual({});
  });
  test("an id of nobody removes nothing", async () => {
    managed.skill("pdf");
    const before = managed.tree("ws/.agent");
    await managed.open();
    for (const id of ["skill:project-nacre/..", "skill:project-nacre/", "", "__proto__", "pdf"])
      await expect(managed.call("skills.remove", { id })).rejects.toMatchObject({ code: "not_found" });
    expect(managed.tree("ws/.agent")).toEqual(before);
  });
});

describe("a plugin's skill", () => {
  test("is shown and neither written nor removed: its plugin answers for its files", async () => {
    managed.world.write(
      "config/plugins/docs/plugin.json",
      JSON.stringify({ name: "docs", version: "1.0.0", skills: "skills" }),
    );
    managed.skill("pdf", { root: "config/plugins/docs/skills" });
    await managed.open();
    const before = managed.tree("config/plugins");
    const { id, digest, editable } = await show("docs:pdf");
    expect(editable).toBe(false);
    await expect(managed.call("skills.write", { id, text: "x", digest })).rejects.toMatchObject({
      code: "denied",
    });
    await expect(managed.call("skills.remove", { id })).rejects.toMatchObject({ code: "denied" });
    expect(managed.tree("config/plugins")).toEqual(before);
  });
});

describe("a conversation's skill", () => {
  test("is made, edited and saved to a file, and then it is no longer in memory", async () => {
    await managed.open();
    const { id: sessionId } = (await managed.call("chat.create", {})) as { id: string };
    const { id } = await managed.call("skills.create", { name: "notes", scope: "session", sessionId });
    const shown = await managed.call("skills.show", { id });
    expect(shown).toMatchObject({ row: { sessionId, path: "" }, editable: true });
    await managed.call("skills.write", { id, text: text("notes", "Mine.\n"), digest: shown.digest });
    expect(await managed.call("skills.save", { id, scope: "user" })).toMatchObject({
      path: managed.at("config/skills/notes/SKILL.md"),
      state: "on",
    });
    expect(fs.readFileSync(managed.at("config/skills/notes/SKILL.md"), "utf8")).toBe(
      text("notes", "Mine.\n"),
    );
    expect(managed.host.skills.rows().map((row) => row.source)).toEqual(["user-nacre"]);
  });
  test("keeps its text in memory where a file of the name stands already", async () => {
    managed.skill("notes", { root: "config/skills" });
    await managed.open();
    const { id: sessionId } = (await managed.call("chat.create", {})) as { id: string };
    const { id } = await managed.call("skills.create", { name: "notes", scope: "session", sessionId });
    await expect(managed.call("skills.save", { id, scope: "user" })).rejects.toMatchObject({
      code: "already_exists",
    });
    expect(await managed.call("skills.show", { id })).toMatchObject({ name: "notes" });
    expect(managed.tree("config")["skills/notes/SKILL.md"]).toContain("About notes.");
  });
  test("is made for no conversation that there is none of", async () => {
    await managed.open();
    for (const sessionId of ["../../x", "__proto__", "", undefined])
      await expect(
        managed.call("skills.create", {
          name: "notes",
          scope: "session",
          ...(sessionId === undefined ? {} : { sessionId }),
        }),
      ).rejects.toThrow();
    expect(managed.host.skills.rows()).toEqual([]);
  });
  test("is removed without a trace, and without an undo", async () => {
    await managed.open();
    const { id: sessionId } = (await managed.call("chat.create", {})) as { id: string };
    const { id } = await managed.call("skills.create", { name: "notes", scope: "session", sessionId });
    expect(await managed.call("skills.remove", { id })).toEqual({ undo: null, place: null });
    expect(managed.host.skills.rows()).toEqual([]);
  });
});

describe("opening a skill's file", () => {
  test("is the desktop's alone: elsewhere the path is told", async () => {
    const file = managed.skill("pdf");
    await managed.open();
    await expect(
      managed.call("skills.reveal", { id: managed.id("pdf"), what: "file" }),
    ).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining(file) as unknown });
  });
  test("hands over the file of a listed skill and nothing that the window names", async () => {
    const shown: string[][] = [];
    const file = managed.skill("pdf");
    await managed.open({
      programs: {
        startHelper: () => {
          throw new Error("not in this test");
        },
        showFile: (at, what) => Promise.resolve(void shown.push([at, what])),
      },
    });
    await managed.call("skills.reveal", { id: managed.id("pdf"), what: "folder" });
    for (const id of [file, "skill:project-nacre/../x", "", "__proto__"])
      await expect(managed.call("skills.reveal", { id, what: "file" })).rejects.toMatchObject({
        code: "not_found",
      });
    expect(shown).toEqual([[file, "folder"]]);
  });
});
