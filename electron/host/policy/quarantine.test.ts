import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type World } from "../config/world.testkit.ts";
import { run } from "../kit/process.ts";
import { type Guarded, ProtectedTrees } from "./guarded.ts";
import { newlyProtected, quarantine } from "./quarantine.ts";

let world: World;
let trees: ProtectedTrees;
beforeEach(() => {
  world = createWorld("/var/tmp");
  trees = new ProtectedTrees([path.join(world.workspace, ".bashrc")]);
});
afterEach(() => world.remove());
const look = (): Promise<Guarded> => trees.scan(world.workspace);
async function moved(before: Guarded): Promise<Map<string, string>> {
  const files = newlyProtected(before, await look());
  return new Map(
    quarantine(files, before, world.paths.data).moved.map(({ from, to }) => [
      path.relative(world.workspace, from),
      to,
    ]),
  );
}

test("what stood there before stays, what is new goes at any depth, without case and links as links", async () => {
  world.write("ws/.agent/agents/a.md", "mine");
  world.write("ws/.git/HEAD", "ref");
  const before = await look();
  expect((await moved(before)).size).toBe(0);
  world.write("ws/.git/commondir", "/elsewhere");
  world.write("ws/.Claude/settings.json", "{}");
  world.write("ws/deep/er/dropstone.json", "{}");
  world.write("ws/deep/.git/hooks/pre-commit", "evil");
  world.write("ws/.bashrc", "evil");
  world.write("ws/src/code.ts", "");
  world.write("ws/node_modules/a/.claude/x", "");
  fs.symlinkSync("/etc", path.join(world.workspace, ".dsh"));
  const places = await moved(before);
  expect([...places.keys()].toSorted()).toEqual([
    ".Claude",
    ".bashrc",
    ".dsh",
    ".git/commondir",
    "deep/.git",
    "deep/er/dropstone.json",
  ]);
  expect(fs.readlinkSync(places.get(".dsh") ?? "")).toBe("/etc");
  expect(fs.readFileSync(path.join(places.get(".Claude") ?? "", "settings.json"), "utf8")).toBe("{}");
  for (const to of places.values())
    expect(to.startsWith(path.join(world.paths.data, "quarantine"))).toBe(true);
  expect(fs.readdirSync(world.workspace).toSorted()).toEqual([
    ".agent",
    ".git",
    "deep",
    "node_modules",
    "src",
  ]);
  expect(fs.readdirSync(path.join(world.workspace, ".git"))).toEqual(["HEAD"]);
  expect(world.read("ws/.agent/agents/a.md")).toBe("mine");
});
test("a link that was replaced stands there again, and what had taken its place is moved", async () => {
  world.write("ws/shared/settings.json", "mine");
  const link = path.join(world.workspace, ".claude");
  fs.symlinkSync("shared", link);
  world.write("ws/githooks/pre-commit", "mine");
  world.write("ws/.git/HEAD", "ref");
  const hooks = path.join(world.workspace, ".git", "hooks");
  fs.symlinkSync("../githooks", hooks);
  const before = await look();
  for (const one of [link, hooks]) fs.rmSync(one);
  world.write("ws/.claude/settings.json", "evil");
  world.write("ws/.git/hooks/pre-commit", "evil");
  expect([...(await moved(before)).keys()].toSorted()).toEqual([".claude", ".git/hooks"]);
  expect(fs.readlinkSync(link)).toBe("shared");
  expect(fs.readlinkSync(hooks)).toBe("../githooks");
});
test("below a folder that the first look did not reach nothing is moved: it may be old", async () => {
  trees = new ProtectedTrees([], 3);
  for (const name of ["a", "b", "c", "d"]) world.write(`ws/${name}/file`, "");
  world.write("ws/c/.agent/old", "");
  const before = await look();
  expect([...before.unseen].map((folder) => path.basename(folder))).toEqual(["c", "d"]);
  fs.rmSync(path.join(world.workspace, "a"), { recursive: true });
  world.write("ws/b/.agent/new", "");
  expect([...(await moved(before)).keys()]).toEqual(["b/.agent"]);
  expect(world.read("ws/c/.agent/old")).toBe("");
});
test("where the quarantine cannot be made it is renamed in its place", async () => {
  fs.rmSync(world.paths.data, { recursive: true, force: true });
  fs.writeFileSync(world.paths.data, "a file");
  const before = await look();
  world.write("ws/kairox.toml", "x");
  const [[name, to = ""] = []] = await moved(before);
  expect(name).toBe("kairox.toml");
  expect(path.basename(to)).toMatch(/^quarantined-.*kairox\.toml$/);
  expect(fs.readdirSync(world.workspace)).toEqual([path.basename(to)]);
});
test("what was made where a link had led to nothing is moved, the link stays", async () => {
  const link = path.join(world.workspace, ".agent");
  fs.symlinkSync("cfg/agent", link);
  const before = await look();
  world.write("ws/cfg/agent/mcp.json", "evil");
  world.write("ws/cfg/other", "");
  expect([...(await moved(before)).keys()]).toEqual(["cfg/agent"]);
  expect(fs.readlinkSync(link)).toBe("cfg/agent");
});
test("a link is moved itself where one on its way was exchanged, and what it leads to now is left alone", async () => {
  world.write("ws/cfg/mcp.json", "mine");
  world.write("ws/src/mcp.json", "evil");
  fs.symlinkSync("cfg", path.join(world.workspace, "way"));
  fs.symlinkSync("way", path.join(world.workspace, ".agent"));
  const before = await look();
  fs.rmSync(path.join(world.workspace, "way"));
  fs.symlinkSync("src", path.join(world.workspace, "way"));
  expect([...(await moved(before)).keys()]).toEqual([".agent"]);
  expect(fs.existsSync(path.join(world.workspace, ".agent"))).toBe(false);
  expect(world.read("ws/src/mcp.json")).toBe("evil");
});
test("one that cannot be moved is told, and those after it are moved all the same", async () => {
  fs.rmSync(world.paths.data, { recursive: true, force: true });
  fs.writeFileSync(world.paths.data, "a file");
  const before = await look();
  // Under the longer name beside its place no disk takes it.
  const long = "x".repeat(240);
  world.write(`ws/${long}`, "x");
  world.write("ws/.agent/mcp.json", "{}");
  const files = [long, ".agent"].map((name) => path.join(world.workspace, name));
  const { moved, failed } = quarantine(files, before, world.paths.data);
  expect(moved.map(({ from }) => path.basename(from))).toEqual([".agent"]);
  expect(failed.map(({ from }) => path.basename(from))).toEqual([long]);
  expect(failed[0]?.reason).toContain("ENAMETOOLONG");
  expect(fs.existsSync(path.join(world.workspace, ".agent"))).toBe(false);
});
test("a folder that is exchanged for a link meanwhile leads the quarantine nowhere", async () => {
  const before = await look();
  world.write("ws/a/.agent/mcp.json", "evil");
  world.write("outside/.agent/mcp.json", "theirs");
  const files = newlyProtected(before, await look());
  fs.renameSync(path.join(world.workspace, "a"), path.join(world.workspace, "b"));
  fs.symlinkSync("../outside", path.join(world.workspace, "a"));
  const result = quarantine(files, before, world.paths.data);
  expect(result.moved).toEqual([]);
  expect(result.failed.map(({ from }) => path.relative(world.workspace, from))).toEqual(["a/.agent"]);
  expect(world.read("outside/.agent/mcp.json")).toBe("theirs");
});
test("a link is put back only where it stood", async () => {
  world.write("ws/a/file", "");
  fs.mkdirSync(path.join(world.top, "outside"));
  fs.symlinkSync("x", path.join(world.workspace, "a", ".agent"));
  const before = await look();
  fs.renameSync(path.join(world.workspace, "a"), path.join(world.workspace, "b"));
  fs.symlinkSync("../outside", path.join(world.workspace, "a"));
  quarantine([path.join(world.workspace, "a", ".agent")], before, world.paths.data);
  expect(fs.readdirSync(path.join(world.top, "outside"))).toEqual([]);
});
/** A folder on another disk than the workspace. */
const otherDisk = "/dev/shm";
const hasOtherDisk = fs.existsSync(otherDisk) && fs.statSync(otherDisk).dev !== fs.statSync("/var/tmp").dev;
describe.runIf(hasOtherDisk)("to another disk", () => {
  let data: string;
  beforeEach(() => {
    data = fs.mkdtempSync(path.join(otherDisk, "nacre-quarantine-"));
  });
  afterEach(() => fs.rmSync(data, { recursive: true }));

  test("a tree comes whole, with modes and links, and no link in it is followed", async () => {
    const before = await look();
    world.write("ws/.agent/skills/x/run.sh", "run");
    fs.chmodSync(path.join(world.workspace, ".agent/skills/x/run.sh"), 0o755);
    const kept = world.write("ws/kept/file", "mine");
    fs.symlinkSync(path.dirname(kept), path.join(world.workspace, ".agent", "out"));
    const [one] = quarantine(newlyProtected(before, await look()), before, data).moved;
    const to = one?.to ?? "";
    expect(to.startsWith(data)).toBe(true);
    expect(fs.readFileSync(path.join(to, "skills/x/run.sh"), "utf8")).toBe("run");
    expect(fs.statSync(path.join(to, "skills/x/run.sh")).mode & 0o777).toBe(0o755);
    expect(fs.readlinkSync(path.join(to, "out"))).toBe(path.dirname(kept));
    expect(fs.readdirSync(world.workspace)).toEqual(["kept"]);
    expect(fs.readFileSync(kept, "utf8")).toBe("mine");
  });
  test("what cannot be copied lies whole beside its place, and nothing of it there", async () => {
    const before = await look();
    world.write("ws/.agent/a", "a");
    // A pipe cannot be copied.
    await run({ command: "mkfifo", args: [path.join(world.workspace, ".agent", "z")] });
    const [one] = quarantine(newlyProtected(before, await look()), before, data).moved;
    expect(path.dirname(one?.to ?? "")).toBe(world.workspace);
    expect(fs.readdirSync(one?.to ?? "").toSorted()).toEqual(["a", "z"]);
    expect(fs.readdirSync(path.join(data, "quarantine"))).toEqual([]);
  });
});
