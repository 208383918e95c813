import fs from "node:fs";
import path from "node:path";
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost, type Host } from "./host.ts";

let world: World;
let host: Host;
const at = (...names: readonly string[]): string => path.join(world.top, ...names);
const text = (name: string, description = `About ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBody.\n`;
const skill = (folder: string, name = path.basename(folder)): string =>
  world.write(`${folder}/SKILL.md`, text(name));

beforeEach(async () => {
  world = createWorld();
  skill("ws/.agents/skills/here");
  host = await createHost({
    workspace: world.workspace,
    env: {},
    paths: world.paths,
    version: "1.2.3",
    shell: "browser",
    canAsk: true,
    built: world.top,
  });
  await host.start();
  // Watches are set up in slices, at least one folder in each turn of the event loop.
  for (let folder = 0; folder < 400; folder++) await setImmediate();
});
afterEach(async () => {
  await host.stop();
  world.remove();
});

/** Whoever tells which skills there are: all have to say the same. */
async function everywhere(): Promise<Readonly<Record<string, readonly string[]>>> {
  const on = host.skills.rows().filter(({ state }) => state === "on");
  const listed = await host.skills.registry.list({ cwd: world.workspace });
  return {
    rows: on.map(({ name }) => name),
    registry: listed.map(({ name }) => name),
    catalog: [...host.skills.catalog().text.matchAll(/^- ([a-z0-9-]+):/gm)].map(([, name = ""]) => name),
    tool: host.toolRows().some(({ name }) => name === "skill") ? ["skill"] : [],
    count: [/(\d+) skills?/.exec(host.summary())?.[1] ?? "0"],
  };
}
async function all(...names: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    expect((await everywhere())["rows"]).toEqual(names);
  }, 10_000);
  expect(await everywhere()).toEqual({
    rows: names,
    registry: names,
    catalog: names,
    tool: names.length > 0 ? ["skill"] : [],
    count: [String(names.length)],
  });
}

test("a skill that is made, renamed in its text, changed, moved and removed: after each step everybody tells the same set", async () => {
  await all("here");
  const file = skill("ws/.agents/skills/z");
  await all("here", "z");
  fs.writeFileSync(file, text("zulu"));
  await all("here", "zulu");
  // As editors save: another file, moved over it.
  fs.writeFileSync(`${file}.new`, text("zoo"));
  fs.renameSync(`${file}.new`, file);
  await all("here", "zoo");
  fs.renameSync(at("ws/.agents/skills/z"), at("ws/.agents/skills/y"));
  await vi.waitFor(
    () => expect(host.skills.rows().map((row) => row.path)).toContain(at("ws/.agents/skills/y/SKILL.md")),
    10_000,
  );
  await all("here", "zoo");
  fs.rmSync(at("ws/.agents/skills/y"), { recursive: true });
  await all("here");
  fs.rmSync(at("ws/.agents/skills/here"), { recursive: true });
  await all();
});
test("a root that comes later, goes, and comes again, also as a whole folder that is moved", async () => {
  skill("home/.agents/skills/later");
  await all("here", "later");
  fs.rmSync(at("home/.agents"), { recursive: true });
  await all("here");
  skill("home/.agents/skills/again");
  await all("again", "here");
  fs.renameSync(at("ws/.agents"), at("ws/.agents-old"));
  await all("again");
  fs.renameSync(at("ws/.agents-old"), at("ws/.agents"));
  await all("again", "here");
});
test("behind a link: what its target holds, where it leads to, and a file that is one itself", async () => {
  skill("store/one/a");
  skill("store/two/b");
  fs.mkdirSync(at("home/.claude"));
  fs.symlinkSync(at("store/one"), at("home/.claude/skills"));
  await all("a", "here");
  skill("store/one/more");
  await all("a", "here", "more");
  fs.symlinkSync(at("store/two"), at("home/.claude/turned"));
  fs.renameSync(at("home/.claude/turned"), at("home/.claude/skills"));
  await all("b", "here");
  fs.symlinkSync(at("store/one/a"), at("ws/.agents/skills/linked"));
  await all("a", "b", "here");
  fs.writeFileSync(at("store/one/a/SKILL.md"), text("alpha"));
  await all("alpha", "b", "here");
  world.write("store/shared.md", text("shared"));
  fs.mkdirSync(at("ws/.agents/skills/file"));
  fs.symlinkSync(at("store/shared.md"), at("ws/.agents/skills/file/SKILL.md"));
  await all("alpha", "b", "here", "shared");
  fs.writeFileSync(at("store/shared.md"), text("shown"));
  await all("alpha", "b", "here", "shown");
});
test("links to nothing: what they lead to is made, goes, and is made again", async () => {
  fs.mkdirSync(at("ext"));
  fs.symlinkSync(at("ext/x"), at("ws/.agents/skills/x"));
  fs.mkdirSync(at("ws/.agents/skills/lf"));
  fs.symlinkSync(at("ext/f.md"), at("ws/.agents/skills/lf/SKILL.md"));
  // Seen as links to nothing.
  await vi.waitFor(() => expect(host.skills.diagnostics()).toHaveLength(2), 10_000);
  skill("ext/x");
  await all("here", "x");
  world.write("ext/f.md", text("lf"));
  await all("here", "lf", "x");
  fs.rmSync(at("ext"), { recursive: true });
  await all("here");
  skill("ext/x");
  world.write("ext/f.md", text("lf"));
  await all("here", "lf", "x");
});
test("what else is written into a skill's folder has nothing looked at again", async () => {
  // What was written right before the start is looked at twice.
  await wait(300);
  const reload = vi.spyOn(host.skills, "reload");
  const heard = new Set<string | null>();
  const own = fs.watch(at("ws/.agents/skills/here"), (_event, name) => void heard.add(name));
  world.write("ws/.agents/skills/here/notes.md", "notes");
  world.write("ws/.agents/skills/here/scripts/run.sh", "true");
  world.write("ws/.agents/skills/here/scripts/SKILL.md", text("nested"));
  await vi.waitFor(() => expect([...heard]).toEqual(expect.arrayContaining(["notes.md", "scripts"])), 10_000);
  own.close();
  // Longer than changes are collected before they are told of.
  await wait(300);
  expect(reload).not.toHaveBeenCalled();
  skill("ws/.agents/skills/late");
  await all("here", "late");
  expect(reload).toHaveBeenCalled();
});
test("settings: another folder of skills, another home, a row that is switched off", async () => {
  skill("extra/x");
  skill("home2/skills/mine");
  const settings = (value: object): string => world.write("config/settings.json", JSON.stringify(value));
  settings({ skills: { dirs: [at("extra")], agentsHome: at("home2") } });
  await all("here", "mine", "x");
  skill("extra/y");
  await all("here", "mine", "x", "y");
  settings({ skills: { dirs: [at("nowhere")] } });
  await all("here");
  await vi.waitFor(() => expect(host.skills.diagnostics()).toMatchObject([{ code: "skills-root-missing" }]));
  skill("nowhere/now");
  await all("here", "now");
  settings({ switches: { "skills:project-agents": false } });
  await all();
});
