import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { createWorld, type World } from "../config/world.testkit.ts";
import { type ConfinedRun, ConfinedRuns } from "./confined-run.ts";

let world: World;
const told: Diagnostic[] = [];
beforeEach(() => {
  world = createWorld("/var/tmp");
  told.length = 0;
});
afterEach(() => world.remove());
const runs = (): ConfinedRuns => new ConfinedRuns(world.paths, (diagnostic) => void told.push(diagnostic));
const begin = (from: ConfinedRuns): Promise<ConfinedRun> =>
  from.begin({ workspace: world.workspace, writableRoots: [], network: false, tmp: world.top });
const notes = (): string[] => fs.readdirSync(path.join(world.paths.data, "run"));

test("what a run made whose process was killed is taken out at the next start, once", async () => {
  world.write("ws/.claude/settings.json", "mine");
  await begin(runs());
  const [name = ""] = notes();
  const note = path.join(world.paths.data, "run", name);
  world.write("ws/.agent/skills/x/SKILL.md", "evil");
  world.write("ws/sub/.git/HEAD", "evil");
  // Its process lives: nothing of it is another's to end.
  expect(await runs().recover()).toEqual([]);
  fs.writeFileSync(note, fs.readFileSync(note, "utf8").replace(/"start":"\d+"/, '"start":"1"'));
  const lines = await runs().recover();
  expect(lines.map((line) => line.split(" ")[0])).toEqual([".agent", path.join("sub", ".git")]);
  expect(fs.readdirSync(world.workspace).toSorted()).toEqual([".claude", "sub"]);
  expect(told.map(({ code }) => code)).toEqual(["quarantined", "quarantined"]);
  expect(notes()).toEqual([]);
});
test("a run that ends leaves no note", async () => {
  const run = await begin(runs());
  expect(notes()).toHaveLength(1);
  await run.end();
  expect(notes()).toEqual([]);
});
test("where no note can be written the run is watched all the same, and that is told", async () => {
  fs.rmSync(world.paths.data, { recursive: true, force: true });
  fs.mkdirSync(world.paths.data);
  fs.writeFileSync(path.join(world.paths.data, "run"), "a file");
  const run = await begin(runs());
  expect(told.map(({ code }) => code)).toEqual(["look-not-noted"]);
  world.write("ws/.agent/x", "");
  expect(await run.end()).toHaveLength(1);
});
test("a run is alone with its mounts but for one that could exchange them: what that one holds itself it cannot", async () => {
  world.write("ws/a/.agent/x", "");
  const one = runs();
  const first = await begin(one);
  expect(first.confinement.alone).toBe(true);
  // The same is mounted for both.
  expect((await begin(runs())).confinement.alone).toBe(true);
  // Another folder of the same name is not what the others hold.
  fs.renameSync(path.join(world.workspace, "a"), path.join(world.workspace, "old"));
  fs.mkdirSync(path.join(world.workspace, "a"));
  fs.renameSync(path.join(world.workspace, "old", ".agent"), path.join(world.workspace, "a", ".agent"));
  const later = await begin(one);
  expect(later.confinement.alone).toBe(false);
  fs.mkdirSync(path.join(world.top, "elsewhere"));
  const elsewhere = await one.begin({
    workspace: path.join(world.top, "elsewhere"),
    writableRoots: [],
    network: false,
    tmp: world.top,
  });
  expect(elsewhere.confinement.alone).toBe(true);
});
test.skipIf(process.platform === "win32")(
  "a root that cannot be listed is refused, with what to do",
  async () => {
    // Root lists everything: it looks as somebody else.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) spawnSync("chown", ["-R", "65534", world.top]);
    fs.chmodSync(world.workspace, 0o311);
    if (isRoot) process.seteuid?.(65534);
    try {
      await expect(begin(runs())).rejects.toThrow(/cannot be listed, .*chmod u\+rwx .*ws/);
    } finally {
      if (isRoot) process.seteuid?.(0);
      fs.chmodSync(world.workspace, 0o755);
    }
  },
);
