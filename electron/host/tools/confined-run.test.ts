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
