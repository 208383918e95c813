import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../shared/json.ts";
import { createWorld, type World } from "./config/world.testkit.ts";
import { checkedRoot, rootEdit, type RootChange } from "./writable-roots.ts";

let world: World;
let parts: Parameters<typeof checkedRoot>[0];
beforeEach(() => {
  world = createWorld();
  const { workspace, paths } = world;
  parts = { paths, workspace };
});
afterEach(() => world.remove());
const at = (name: string): string => path.join(world.top, name);

test("a folder is kept whole, ~ resolved", () => {
  fs.mkdirSync(at("home/notes"));
  fs.mkdirSync(at("other"));
  expect(checkedRoot(parts, "~/notes")).toBe(at("home/notes"));
  expect(checkedRoot(parts, ` ${at("other")}${path.sep}`)).toBe(at("other"));
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
  expect(() => checkedRoot(parts, at(name))).toThrow(words);
});
test.each(["notes", "./notes", "", "~other/notes"])("%j is refused: it is no whole path", (text) => {
  expect(() => checkedRoot(parts, text)).toThrow("is no whole path");
});

describe("the list as the file has it", () => {
  const policy = { writable_roots: ["~/notes", "/data/a"] };
  test.each<[string, JsonObject, RootChange, string, readonly string[]]>([
    ["none yet", {}, { addRoot: "/b" }, "writable_roots", ["/b"]],
    ["one more", { policy }, { addRoot: "/b" }, "writable_roots", ["~/notes", "/data/a", "/b"]],
    ["one that stands there", { policy }, { addRoot: "/data/a" }, "writable_roots", ["~/notes", "/data/a"]],
    ["one that goes", { policy }, { removeRoot: "/data/a/" }, "writable_roots", ["~/notes"]],
    ["one that is not there", { policy }, { removeRoot: "/c" }, "writable_roots", ["~/notes", "/data/a"]],
    [
      "in the other spelling of the key",
      { policy: { writableRoots: ["/a"] } },
      { addRoot: "/b" },
      "writableRoots",
      ["/a", "/b"],
    ],
    // With the 5 gone /a would count, and nobody was asked about it.
    [
      "a list that did not count",
      { policy: { writable_roots: ["/a", 5] } },
      { addRoot: "/b" },
      "writable_roots",
      ["/b"],
    ],
  ])("%s", (_name, current, change, key, value) =>
    expect(rootEdit(current, change, parts)).toEqual([{ path: ["policy", key], value }]),
  );
  test("a folder written from the home folder goes by its whole path", () => {
    const [edit] = rootEdit({ policy }, { removeRoot: at("home/notes") }, parts);
    expect(edit?.value).toEqual(["/data/a"]);
  });
  test("nothing is written where nothing is wanted", () =>
    expect(rootEdit({ policy }, {}, parts)).toEqual([]));
});
