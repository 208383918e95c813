import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, type World } from "../config/world.testkit.ts";
import { ownIdentity } from "../kit/process-identity.ts";
import { SessionTemp } from "./session-temp.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());
const left = (): string[] => fs.readdirSync(world.paths.cache);

test("each session has a folder of its own, for the user alone, and nothing is left of it", async () => {
  const temp = new SessionTemp(world.paths.cache);
  const one = temp.folder("one");
  expect(temp.folder("one")).toBe(one);
  expect(temp.folder("two")).not.toBe(one);
  expect(fs.statSync(one).mode & 0o777).toBe(0o700);
  expect(fs.statSync(path.dirname(one)).mode & 0o777).toBe(0o700);
  expect(fs.readdirSync(one)).toEqual([]);
  fs.mkdirSync(path.join(one, "sealed", "deep"), { recursive: true });
  fs.chmodSync(path.join(one, "sealed"), 0o000);
  await temp.end("one");
  expect(left()).toHaveLength(1);
  await temp.endAll();
  expect(left()).toEqual([]);
});
test("what a crash left behind goes at the next start; what belongs to others stays", async () => {
  const leave = (name: string, owner: object | undefined): void => {
    const folder = path.join(world.paths.cache, `nacre-session-${name}`);
    fs.mkdirSync(path.join(folder, "tmp"), { recursive: true });
    fs.writeFileSync(path.join(folder, "tmp", "big"), "x");
    if (owner) fs.writeFileSync(path.join(folder, "owner.json"), JSON.stringify(owner));
  };
  const own = ownIdentity();
  leave("dead", { ...own, pid: 2 ** 22 + 1, start: "1" });
  leave("other-start", { ...own, start: `${own.start}1` });
  leave("alive", own);
  leave("other-machine", { ...own, boot: "another", host: "another" });
  leave("unknown", undefined);
  const outside = world.write("outside/file", "mine");
  fs.symlinkSync(path.dirname(outside), path.join(world.paths.cache, "nacre-session-link"));
  const temp = new SessionTemp(world.paths.cache);
  temp.folder("new");
  await temp.endAll();
  const gone = process.platform === "linux" ? [] : ["other-start"];
  expect(left().toSorted()).toEqual(
    ["alive", "link", ...gone, "other-machine", "unknown"].map((name) => `nacre-session-${name}`),
  );
  expect(world.read("outside/file")).toBe("mine");
});
test("where none can be made the error names the place and what to do", () => {
  const temp = new SessionTemp(path.join(world.top, "gone"));
  expect(() => temp.folder("one")).toThrow(
    /no temporary folder for confined commands can be made in .*gone: .*make room there, or let TMPDIR/,
  );
});
