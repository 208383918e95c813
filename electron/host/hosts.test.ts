import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, type World } from "./config/world.testkit.ts";
import { Workspaces } from "./hosts.ts";

let world: World;
let workspaces: Workspaces;
beforeEach(() => {
  world = createWorld();
  workspaces = new Workspaces({
    env: {},
    paths: world.paths,
    version: "1.2.3",
    shell: "browser",
    canAsk: true,
    built: world.top,
  });
});
afterEach(async () => {
  await workspaces.stop();
  world.remove();
});

test("a settings.json that does not parse keeps no folder from being opened, and stays as it is", async () => {
  world.write("config/settings.json", '{ "model": ');
  const host = await workspaces.open(world.workspace);
  const problems = (await host.doctor()).problems.map(({ code }) => code);
  expect(problems).toContain("file-broken");
  await workspaces.stop();
  expect(world.read("config/settings.json")).toBe('{ "model": ');
  const logs = fs.readdirSync(path.join(world.paths.data, "logs"));
  expect(logs.map((name) => world.read(path.join("data/logs", name))).join("")).toContain(
    "the folder is not remembered",
  );
});
test("a folder that is opened is remembered by the time that its host has stopped", async () => {
  await workspaces.open(world.workspace);
  await workspaces.close(world.workspace);
  expect(world.readSettings()).toEqual({ recent_folders: [world.workspace] });
});
test("a folder reached by two paths has one host; a folder that is none can be asked for again", async () => {
  const linked = path.join(world.top, "linked");
  fs.symlinkSync(world.workspace, linked);
  expect(await workspaces.open(linked)).toBe(await workspaces.open(world.workspace));
  const later = path.join(world.top, "later");
  await expect(workspaces.open(later)).rejects.toMatchObject({ code: "not_found" });
  fs.mkdirSync(later);
  expect((await workspaces.open(later)).workspace).toBe(later);
});
