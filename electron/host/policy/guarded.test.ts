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
  expect(readOnly).toEqual([ws("d7/.agent")]);
  expect(unseen.size).toBe(20);
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
test.skipIf(process.getuid?.() === 0)("a folder that is closed to us is passed over", async () => {
  fs.mkdirSync(ws("closed"), { mode: 0 });
  world.write("ws/.agent/x", "");
  expect((await new ProtectedTrees().scan(world.workspace)).readOnly).toEqual([ws(".agent")]);
  fs.chmodSync(ws("closed"), 0o700);
});
