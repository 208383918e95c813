import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConfigStore } from "./config/store.ts";
import { createWorld, type World } from "./config/world.testkit.ts";
import { checkedRoots } from "./writable-roots.ts";

let world: World;
let parts: Parameters<typeof checkedRoots>[0];
beforeEach(async () => {
  world = createWorld();
  const { workspace, paths } = world;
  world.write(
    "config/settings.json",
    JSON.stringify({ policy: { writable_roots: [path.join(world.top, "gone")] } }),
  );
  parts = { config: await ConfigStore.open({ workspace, paths }), paths, workspace };
});
afterEach(() => world.remove());
const at = (name: string): string => path.join(world.top, name);

test("a folder is kept whole, ~ resolved, each once", () => {
  fs.mkdirSync(at("home/notes"));
  fs.mkdirSync(at("other"));
  expect(checkedRoots(parts, ["~/notes", at("home/notes"), `${at("other")}${path.sep}`])).toEqual([
    at("home/notes"),
    at("other"),
  ]);
});
test("one that was kept before stays, though it has gone since", () => {
  expect(checkedRoots(parts, [at("gone")])).toEqual([at("gone")]);
});
test.each([
  ["nowhere", "there is no folder"],
  ["a-file", "is a file"],
  ["ws", "lies in the workspace"],
  ["ws/sub", "lies in the workspace"],
  ["link", "lies in the workspace"],
])("%s is refused: %s", (name, words) => {
  world.write("a-file", "");
  fs.mkdirSync(at("ws/sub"));
  fs.symlinkSync(at("ws/sub"), at("link"));
  expect(() => checkedRoots(parts, [at(name)])).toThrow(words);
});
test.each(["notes", "./notes", "", "~other/notes"])("%j is refused: it is no whole path", (text) => {
  expect(() => checkedRoots(parts, [text])).toThrow("is no whole path");
});
