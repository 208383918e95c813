import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, type World } from "../config/world.testkit.ts";
import { ProtectedTrees } from "./guarded.ts";

let world: World;
beforeEach(() => {
  world = createWorld("/var/tmp");
});
afterEach(() => world.remove());
const ws = (file: string): string => path.join(world.workspace, file);
/** As if nothing had been touched for long: what is young is read again anyway. */
function age(folder: string): void {
  const old = new Date(Date.now() - 60_000);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) age(path.join(folder, entry.name));
  fs.utimesSync(folder, old, old);
}

test("protected names are found at any depth, with every folder on the way, but not in other people's code", async () => {
  world.write("ws/a/b/c/d/e/f/g/.agent/x", "");
  world.write("ws/node_modules/p/.agent/x", "");
  world.write("ws/.Claude/x", "");
  const { readOnly, anchors, unseen } = await new ProtectedTrees().scan(world.workspace);
  expect(readOnly.toSorted()).toEqual([ws(".Claude"), ws("a/b/c/d/e/f/g/.agent")]);
  expect(anchors.toSorted()).toEqual(
    ["a", "a/b", "a/b/c", "a/b/c/d", "a/b/c/d/e", "a/b/c/d/e/f", "a/b/c/d/e/f/g"].map(ws),
  );
  expect(unseen.size).toBe(0);
});
test("what is made after a look is seen by the next, whatever times its maker gives it", async () => {
  world.write("ws/a/b/file", "");
  age(world.workspace);
  const settled = 100;
  const trees = new ProtectedTrees([], undefined, settled);
  // Folders whose change time is young are read anew: these are kept.
  await expect.poll(() => Date.now() - fs.statSync(ws("a/b")).ctimeMs).toBeGreaterThan(settled);
  await trees.scan(world.workspace);
  const before = fs.statSync(ws("a/b"));
  world.write("ws/a/b/.agent/x", "");
  fs.utimesSync(ws("a/b"), before.atime, before.mtime);
  expect((await trees.scan(world.workspace)).readOnly).toEqual([ws("a/b/.agent")]);
  // A whole folder is exchanged for another of the same name.
  fs.renameSync(ws("a/b"), ws("old"));
  world.write("ws/a/b/.dsh/x", "");
  expect((await trees.scan(world.workspace)).readOnly.toSorted()).toEqual([ws("a/b/.dsh"), ws("old/.agent")]);
});
test("in a tree that is too wide the nearest folders are looked through, and the others are named", async () => {
  for (let at = 0; at < 20; at++) world.write(`ws/d${at}/sub/file`, "");
  world.write("ws/d7/.agent/x", "");
  const { readOnly, unseen } = await new ProtectedTrees([], 21).scan(world.workspace);
  expect(unseen.size).toBe(20);
  expect(readOnly.toSorted()).toEqual([ws("d7/.agent"), ...unseen].toSorted());
});
test("of very many that are not looked through those above them are read-only, at last the root itself", async () => {
  for (let at = 0; at < 150; at++) world.write(`ws/a/d${at}/sub/file`, "");
  const seen = await new ProtectedTrees([], 100).scan(world.workspace);
  expect([...seen.unseen]).toEqual([ws("a")]);
  expect(seen.readOnly).toEqual([ws("a")]);
  for (let at = 0; at < 150; at++) world.write(`ws/b${at}/file`, "");
  expect([...(await new ProtectedTrees([], 30).scan(world.workspace)).unseen]).toEqual([world.workspace]);
});
test("a link is followed to its end, with every folder on the way; one to nothing is not mounted", async () => {
  world.write("ws/cfg/deep/agent/x", "");
  fs.symlinkSync("cfg/deep/agent", ws(".agent"));
  fs.symlinkSync("none/at/all", ws(".claude"));
  world.write("ws/tools/githooks/x", "");
  world.write("ws/.git/HEAD", "");
  fs.symlinkSync("../tools/githooks", ws(".git/hooks"));
  const { readOnly, anchors, links } = await new ProtectedTrees().scan(world.workspace);
  expect(readOnly.toSorted()).toEqual([ws("cfg/deep/agent"), ws("tools/githooks")]);
  expect(anchors).toEqual(expect.arrayContaining([ws("cfg"), ws("cfg/deep"), ws("tools"), ws(".git")]));
  expect(links.get(ws(".claude"))).toEqual({ real: ws("none/at/all"), exists: false });
});
test("what git's configuration names is read-only too: a folder of hooks, husky's scripts beside it, more configuration", async () => {
  for (const file of ["a/.husky/_/h", "a/.husky/pre-commit", "a/more.gitconfig", "b/hooks/x"])
    world.write(`ws/${file}`, "");
  world.write(
    "ws/a/.git/config",
    '[core]\n\tbare = false\n\thooksPath = .husky/_\n[include]\n\tpath = "../more.gitconfig"\n',
  );
  world.write("ws/b/.git/config", "[CORE] hookspath=hooks\n");
  const { readOnly } = await new ProtectedTrees().scan(world.workspace);
  expect(readOnly).toEqual(expect.arrayContaining([ws("a/.husky"), ws("a/more.gitconfig"), ws("b/hooks")]));
});
test("the way to a root that lies in another one is kept as well", async () => {
  world.write("ws/a/b/root/file", "");
  const { anchors } = await new ProtectedTrees().scan(world.workspace, [world.workspace, ws("a/b/root")]);
  expect(anchors.toSorted()).toEqual([ws("a"), ws("a/b")]);
});
test("of very many repositories the git folders of the far ones are read-only as a whole, which takes fewer mounts", async () => {
  for (let at = 0; at < 120; at++)
    for (const name of ["HEAD", "config", "hooks/x", "info/x"])
      world.write(`ws/repository-${at}/.git/${name}`, "");
  const { readOnly, anchors } = await new ProtectedTrees().scan(world.workspace);
  expect(readOnly.filter((file) => file.endsWith("/.git")).length).toBeGreaterThan(0);
  expect(readOnly.filter((file) => file.endsWith("/hooks")).length).toBeGreaterThan(50);
  expect(readOnly.length + anchors.length).toBeLessThan(500);
});
/** Root reads everything: what belongs to another rights' holder is tried as one. */
function asUser<T>(use: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return use();
  spawnSync("chown", ["-R", "65534", world.top]);
  process.seteuid?.(65534);
  return use().finally(() => process.seteuid?.(0));
}
test.skipIf(process.platform === "win32")(
  "a folder that is closed to us is read-only, and has its mode again after a run that closed it",
  () =>
    asUser(async () => {
      for (const name of ["closed", "half", "mine", "open"]) fs.mkdirSync(ws(name));
      world.write("ws/closed/.git/HEAD", "");
      world.write("ws/half/.agent/x", "");
      fs.chmodSync(ws("closed"), 0o311);
      // Its names can be read, and nothing else of it.
      fs.chmodSync(ws("half"), 0o644);
      const trees = new ProtectedTrees();
      const before = await trees.scan(world.workspace);
      expect(before.readOnly.toSorted()).toEqual([ws("closed"), ws("half")]);
      world.write("ws/mine/.agent/x", "");
      fs.chmodSync(ws("mine"), 0o311);
      world.write("ws/new/.claude/x", "");
      fs.chmodSync(ws("new"), 0);
      const after = await trees.scan(world.workspace, [world.workspace], before);
      expect([...after.names.keys()].toSorted()).toEqual([ws("mine/.agent"), ws("new/.claude")]);
      expect(fs.statSync(ws("mine")).mode & 0o777).toBe(fs.statSync(ws("open")).mode & 0o777);
      expect(fs.statSync(ws("closed")).mode & 0o777).toBe(0o311);
      for (const name of ["closed", "half"]) fs.chmodSync(ws(name), 0o755);
    }),
);
