import { afterEach, beforeEach, expect, test } from "vitest";
import { readRecentFolders } from "./recent-folders.ts";
import { createWorld, type World } from "./world.testkit.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

test("the recent folders are read, comments or not", async () => {
  world.write("config/settings.json", `{ // mine\n "recent_folders": ["/a", "/b"], "model": 3 }`);
  expect(await readRecentFolders(world.paths)).toEqual(["/a", "/b"]);
});
test("without settings, with broken ones and with another kind of value there are none", async () => {
  expect(await readRecentFolders(world.paths)).toEqual([]);
  for (const text of ['{ "recent_folders": ', '{ "recent_folders": "/a" }', "[]", ""]) {
    world.write("config/settings.json", text);
    expect(await readRecentFolders(world.paths)).toEqual([]);
  }
});
