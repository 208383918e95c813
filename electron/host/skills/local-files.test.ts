import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isObject } from "../../../shared/json.ts";
import { createLocalFiles } from "./local-files.ts";
import { tableRoots, type SkillRoot } from "./roots.ts";
import type { RootScan } from "./scan.ts";
import { SkillWorld } from "./world.testkit.ts";

let world: SkillWorld;
beforeEach(() => {
  world = new SkillWorld();
});
afterEach(() => {
  vi.restoreAllMocks();
  world.remove();
});

const files = createLocalFiles();
const roots = (...dirs: readonly string[]): readonly SkillRoot[] => {
  const { workspace, paths, env } = world.options();
  const settings = { dirs: dirs.map((folder) => path.resolve(workspace, folder)) };
  return tableRoots({ cwd: workspace, workspace, projectRoot: workspace, paths, env, settings });
};
const scan = (...dirs: readonly string[]): Promise<readonly RootScan[]> => files.scan(roots(...dirs));
const found = (scans: readonly RootScan[]): string[] =>
  scans.flatMap((one) => one.found.map(({ root, placeName }) => `${root.owner} ${placeName}`));
const told = (scans: readonly RootScan[]): string[] =>
  scans.flatMap((one) =>
    one.diagnostics.map(({ code, path: at = "", message }) =>
      `${code} ${path.relative(world.workspace, at)} ${/E[A-Z]{3,}/.exec(message)?.[0] ?? ""}`.trim(),
    ),
  );
const skill = (folder: string, name = path.basename(folder)): string =>
  world.skill(folder, { name, description: "D." });
/** Calls of the file system, by name of the function and what they were asked for. */
function counted(): { calls: () => string[] } {
  const names = ["readdirSync", "statSync", "lstatSync", "openSync", "opendirSync"] as const;
  const spies = names.map((name) => [name, vi.spyOn(fs, name)] as const);
  const native = vi.spyOn(fs.realpathSync, "native");
  return {
    calls: () => [
      ...spies.flatMap(([name, spy]) => spy.mock.calls.map(([at]) => `${name} ${String(at)}`)),
      ...native.mock.calls.map(([at]) => `realpath ${String(at)}`),
    ],
  };
}

describe("one walk", () => {
  test("one readdir a root, one stat a skill, and a missing root costs one failed call", async () => {
    for (const name of ["a", "b", "c"]) skill(`.agents/skills/${name}`);
    const { calls } = counted();
    const scans = await scan();
    const missing = scans.filter(({ exists }) => !exists).map(({ root }) => root.path);
    expect(missing.length).toBeGreaterThan(10);
    for (const root of missing)
      expect(calls().filter((call) => call.endsWith(` ${root}`))).toEqual([`lstatSync ${root}`]);
    const root = path.join(world.workspace, ".agents/skills");
    expect(
      calls()
        .filter((call) => call.includes(`${root}${path.sep}`))
        .toSorted(),
    ).toEqual(["a", "b", "c"].map((name) => `lstatSync ${path.join(root, name, "SKILL.md")}`));
    expect(calls().filter((call) => call.startsWith("readdirSync"))).toEqual([`readdirSync ${root}`]);
  });
  test("a skill with a link into a huge tree, or with the tree itself, costs what any other costs", async () => {
    for (let index = 0; index < 300; index++) world.write(`manuals/deep/${index}/page.md`, "x");
    skill(world.at("home/.agents/skills/docs"));
    world.link(path.join(world.workspace, "manuals"), world.at("home/.agents/skills/docs/references"));
    fs.cpSync(path.join(world.workspace, "manuals"), world.at("home/.agents/skills/docs/copy"), {
      recursive: true,
    });
    skill(world.at("home/.agents/skills/docs/copy/nested"));
    const { calls } = counted();
    expect(found(await scan())).toEqual(["user-agents docs"]);
    expect(calls().filter((call) => /manuals|docs.(?:copy|references)/.test(call))).toEqual([]);
  });
  test("hundreds of folders beside the skills are no reason to search again for each skill", async () => {
    for (let index = 0; index < 400; index++) world.write(`.claude/skills/pile/${index}/text.txt`, "x");
    for (let index = 0; index < 40; index++)
      fs.mkdirSync(path.join(world.workspace, `.claude/skills/optional-${index}`), { recursive: true });
    const { calls } = counted();
    await scan();
    // The root, then at most two hundred folders for the hint that something lies too deep, whatever there is.
    expect(calls().filter((call) => call.startsWith("readdirSync")).length).toBeLessThanOrEqual(1 + 200 + 41);
  });
  test("a root that another one is a link to is looked into once", async () => {
    skill(world.at("home/.agents/skills/best"));
    skill(world.at("home/.agents/skills/best/create"));
    skill(world.at("home/.agents/skills/create"));
    world.link(world.at("home/.agents/skills"), world.at("home/.claude/skills"));
    const { calls } = counted();
    const scans = await scan();
    expect(found(scans).toSorted()).toEqual(["user-agents best", "user-agents create"]);
    expect(told(scans)).toEqual([]);
    expect(calls().filter((call) => call.startsWith("readdirSync"))).toHaveLength(1);
    expect(scans.filter(({ exists }) => exists).map(({ root }) => root.source)).toEqual([
      "user-agents",
      "user-claude",
    ]);
  });
  test("yields between skills, but not on the command line, and ends when it is told to", async () => {
    for (let index = 0; index < 50; index++) skill(`.agents/skills/s${index}`);
    const later = setImmediate;
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 5));
    const turns = vi.spyOn(globalThis, "setImmediate");
    await createLocalFiles({ yields: false }).scan(roots());
    expect(turns).not.toHaveBeenCalled();
    await files.scan(roots());
    expect(turns.mock.calls.length).toBeGreaterThan(20);
    const stop = new AbortController();
    const reason = new Error("enough");
    turns.mockImplementationOnce((run) => {
      stop.abort(reason);
      return later(run);
    });
    await expect(files.scan(roots(), stop.signal)).rejects.toBe(reason);
    await expect(files.readHeads([{ path: "x", real: "x", size: 1 }], stop.signal)).rejects.toBe(reason);
  });
});

describe("links", () => {
  test("a skill that links to its own parent is one skill, and the link is named where the skill's files are listed", async () => {
    skill("skills/demo");
    world.link("../demo", "skills/demo/demo");
    expect(found(await scan("skills"))).toEqual(["custom demo"]);
    const { problems } = await files.resources(path.join(world.workspace, "skills/demo"));
    expect(problems).toMatchObject([{ code: "skill-link-cycle" }]);
  });
  test("grouped one level deeper, the cyclic link is named beside what lies too deep", async () => {
    skill("skills/creative/demo");
    world.link("../demo", "skills/creative/demo/demo");
    const scans = await scan("skills");
    expect(found(scans)).toEqual([]);
    expect(told(scans)).toEqual([
      "skill-too-deep skills/creative/demo/SKILL.md",
      "skill-link-cycle skills/creative/demo/demo",
    ]);
  });
  test("many cyclic links are told in one line, and nothing of what lies behind a link that leaves the root", async () => {
    for (const name of ["a", "b", "c"]) world.link("..", `skills/group/sub/${name}`);
    skill("elsewhere/deep/er");
    world.link("..", "elsewhere/up");
    world.link("../elsewhere", "skills/away");
    expect(told(await scan("skills"))).toEqual(["skill-link-cycle skills/group/sub/a"]);
  });
  test("a folder of skills that is a skill itself says so", async () => {
    skill("skills");
    expect(told(await scan("skills"))).toEqual(["skills-root-is-skill skills/SKILL.md"]);
  });
  test("a root is a link, or a link to nothing, to itself, to a file", async () => {
    skill("store/a");
    world.link("../store", ".agents/skills");
    world.link("nowhere", ".claude/skills");
    world.link("skills", ".dropstone/skills");
    world.write("note.txt", "x");
    world.link("../note.txt", ".kairox/skills");
    const scans = await scan();
    expect(found(scans)).toEqual(["project-agents a"]);
    expect(scans.find(({ root }) => root.source === "project-agents")?.found[0]).toMatchObject({
      path: path.join(world.workspace, ".agents/skills/a/SKILL.md"),
      real: path.join(world.workspace, "store/a"),
    });
    expect(told(scans)).toEqual([
      "skill-link .claude/skills ENOENT",
      "skill-link-cycle .dropstone/skills ELOOP",
      "skills-root-unreadable .kairox/skills ENOTDIR",
    ]);
  });
  test("SKILL.md itself may be a link; where it leads is kept, so that a change there is seen", async () => {
    world.write("store/shared.md", "---\nname: a\ndescription: D.\n---\n");
    world.link("../../../store/shared.md", ".agents/skills/a/SKILL.md");
    world.link("../../../store", ".agents/skills/b/SKILL.md");
    const scans = await scan();
    expect(scans.flatMap((one) => one.found)).toMatchObject([
      { placeName: "a", linkedFile: path.join(world.workspace, "store/shared.md"), stamp: { size: 32 } },
    ]);
    expect(told(scans)).toEqual(["skill-unreadable .agents/skills/b/SKILL.md"]);
  });
});

describe("names and places", () => {
  const misspelt = { a: "skill.md", c: "Skill.md", d: "SKILL.MD" };
  const expected = [
    "skill-file-name .agents/skills/a/skill.md",
    "skill-file-name .agents/skills/c/Skill.md",
    "skill-file-name .agents/skills/d/SKILL.MD",
  ];
  beforeEach(() => {
    for (const [folder, file] of Object.entries({ ...misspelt, b: "SKILL.md" }))
      world.write(`.agents/skills/${folder}/${file}`, "---\nname: x\ndescription: D.\n---\n");
  });
  test("only SKILL.md counts, letter by letter, and the others say how to be renamed", async () => {
    const scans = await scan();
    expect(found(scans)).toEqual(["project-agents b"]);
    expect(told(scans).toSorted()).toEqual(expected);
    expect(scans.flatMap((one) => one.diagnostics)[0]?.fix).toMatch(/^rename .* to SKILL\.md$/);
  });
  test("the same on a disk that takes names of another case for the same", async () => {
    const look = fs.lstatSync;
    // As such a disk does: whatever the case, the file is there.
    vi.spyOn(fs, "lstatSync").mockImplementation(((at: string, options: fs.StatSyncOptions) => {
      const folder = path.dirname(at);
      const entry =
        path.basename(at) === "SKILL.md" && fs.existsSync(folder)
          ? fs.readdirSync(folder).find((name) => name.toLowerCase() === "skill.md")
          : undefined;
      return look(entry === undefined ? at : path.join(folder, entry), options);
    }) as typeof fs.lstatSync);
    const folding = createLocalFiles({ foldsCase: () => true });
    const scans = await folding.scan(roots());
    expect(found(scans)).toEqual(["project-agents b"]);
    expect(told(scans).toSorted()).toEqual(expected);
    // What asks by name alone would take all four.
    expect(found(await createLocalFiles({ foldsCase: () => false }).scan(roots()))).toHaveLength(4);
  });
});

test("a loose Markdown file says where it belongs, where flat files are no skills", async () => {
  world.write(".claude/skills/code-review.md", "---\nname: code-review\ndescription: D.\n---\n");
  const diagnostics = (await scan()).flatMap((one) => one.diagnostics);
  expect(diagnostics).toMatchObject([
    {
      code: "skill-loose-file",
      message: expect.stringContaining("1 loose .md file ignored"),
      fix: "move code-review.md to code-review/SKILL.md",
    },
  ]);
});
test("the hidden folder of DSH's own skills is passed over", async () => {
  skill(world.at("home/.dsh/skills/.system/own"));
  skill(world.at("home/.dsh/skills/mine"));
  expect(found(await scan())).toEqual(["user-dsh mine"]);
});
test("one unreadable place ends nothing else: each is told with the system's word", async () => {
  skill(".agents/skills/ok");
  skill(".agents/skills/locked");
  skill(".agents/skills/gone");
  world.write(".claude/skills", "text");
  world.write(".dropstone", "a file where the folder above would be");
  const look = fs.lstatSync;
  vi.spyOn(fs, "lstatSync").mockImplementation(((at: string, options: fs.StatSyncOptions) => {
    if (at.includes("locked"))
      throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
    // Removed between the listing and this look, with a look at what stands there now.
    if (at.endsWith("gone/SKILL.md")) fs.rmSync(path.dirname(at), { recursive: true, force: true });
    return look(at, options);
  }) as typeof fs.lstatSync);
  const scans = await scan();
  expect(found(scans)).toEqual(["project-agents ok"]);
  expect(told(scans).toSorted()).toEqual([
    "skill-unreadable .agents/skills/gone ENOENT",
    "skill-unreadable .agents/skills/locked EACCES",
    "skills-root-unreadable .claude/skills ENOTDIR",
  ]);
});
test("a project root is marked by a folder or, in a linked worktree, by a file named .git", async () => {
  fs.mkdirSync(world.at("wt/apps/web"), { recursive: true });
  fs.writeFileSync(world.at("wt/.git"), "gitdir: ../project/.git/worktrees/wt\n");
  expect(await files.projectRoot(world.at("wt/apps/web"))).toBe(world.at("wt"));
  expect(await files.projectRoot(world.workspace)).toBe(world.workspace);
});
test("texts in the order asked for: gone, no UTF-8, a pipe in its place, outside of the skill", async () => {
  const good = world.write("s/good/SKILL.md", "text");
  const bad = world.write("s/bad/SKILL.md", "");
  fs.writeFileSync(bad, Buffer.from([0x61, 0x0a, 0xff]));
  const folder = path.join(world.workspace, "s/folder/SKILL.md");
  fs.mkdirSync(folder, { recursive: true });
  const link = world.link(world.write("secret", "key"), "s/link/SKILL.md");
  const all = [good, path.join(world.workspace, "s/none/SKILL.md"), bad, folder, link].map((at) => ({
    path: at,
    real: path.dirname(at),
    size: 4,
  }));
  const expected = [
    { text: "text", inside: true },
    undefined,
    { problem: { code: "text-not-utf-8", line: 2 } },
    { problem: { code: "skill-unreadable", message: expect.stringContaining("no regular file") } },
    { text: "key", inside: false },
  ];
  expect(await files.readHeads(all)).toMatchObject(expected);
  expect(await Promise.all(all.map((file) => files.read(file)))).toMatchObject(expected);
});
test("a head ends with its front matter, but where what stands below may say something", async () => {
  const head = "---\nname: a\n---\n";
  const texts = [
    `${head}Body.\n`,
    `${head}B\u00adody.\n`,
    `${head}\0`,
    "No front matter.\n",
    `----\n---\nBody.\n`,
  ];
  const all = texts.map((text, at) => {
    const file = world.write(`s/s${at}/SKILL.md`, text);
    return { path: file, real: path.dirname(file), size: Buffer.byteLength(text) };
  });
  const told = async (read: Promise<readonly unknown[]>) =>
    (await read).map((one) => (isObject(one) ? one["text"] : one));
  expect(await told(files.readHeads(all))).toEqual([head, ...texts.slice(1)]);
  expect(await told(Promise.all(all.map((file) => files.read(file))))).toEqual(texts);
});
test("a file that grew since it was looked at is read whole", async () => {
  const file = world.write("s/grown/SKILL.md", "x".repeat(100_000));
  const place = { path: file, real: path.dirname(file) };
  for (const size of [10, 99_999, 32 * 1024, 64 * 1024]) {
    expect(await files.readHeads([{ ...place, size }])).toMatchObject([{ text: "x".repeat(100_000) }]);
  }
  expect(await files.read(place)).toMatchObject({ text: "x".repeat(100_000) });
});
