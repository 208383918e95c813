import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, type World } from "../config/world.testkit.ts";
import { protectedNow, quarantineNew } from "./quarantine.ts";

let world: World;
beforeEach(() => {
  world = createWorld("/var/tmp");
});
afterEach(() => world.remove());
const move = (before: ReadonlySet<string>): string[][] =>
  quarantineNew(before, [world.workspace], world.paths.data).map(({ from, to }) => [
    path.relative(world.workspace, from),
    to,
  ]);

test("what stood there before stays, what is new goes, without case and links as links", () => {
  world.write("ws/.agent/agents/a.md", "mine");
  world.write("ws/.git/HEAD", "ref");
  const before = protectedNow([world.workspace]);
  expect(move(before)).toEqual([]);
  world.write("ws/.git/commondir", "/elsewhere");
  world.write("ws/.Claude/settings.json", "{}");
  world.write("ws/src/code.ts", "");
  fs.symlinkSync("/etc", path.join(world.workspace, ".dsh"));
  const moved = new Map(move(before).map(([name = "", to = ""]) => [name, to]));
  expect([...moved.keys()].toSorted()).toEqual([".Claude", ".dsh", ".git/commondir"]);
  expect(fs.readlinkSync(moved.get(".dsh") ?? "")).toBe("/etc");
  expect(fs.readFileSync(path.join(moved.get(".Claude") ?? "", "settings.json"), "utf8")).toBe("{}");
  for (const to of moved.values())
    expect(to.startsWith(path.join(world.paths.data, "quarantine"))).toBe(true);
  expect(fs.readdirSync(world.workspace).toSorted()).toEqual([".agent", ".git", "src"]);
  expect(fs.readdirSync(path.join(world.workspace, ".git"))).toEqual(["HEAD"]);
  expect(world.read("ws/.agent/agents/a.md")).toBe("mine");
});
test("where the quarantine cannot be made it is renamed in its place", () => {
  fs.rmSync(world.paths.data, { recursive: true, force: true });
  fs.writeFileSync(world.paths.data, "a file");
  const before = protectedNow([world.workspace]);
  world.write("ws/kairox.toml", "x");
  const [[name, to = ""] = []] = move(before);
  expect(name).toBe("kairox.toml");
  expect(path.basename(to)).toMatch(/^quarantined-.*kairox\.toml$/);
  expect(fs.readdirSync(world.workspace)).toEqual([path.basename(to)]);
});
