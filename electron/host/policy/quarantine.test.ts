import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, type World } from "../config/world.testkit.ts";
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
