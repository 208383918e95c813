import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type World } from "../config/world.testkit.ts";
import { argumentFiles, declarationDigest, folderFiles } from "./digest.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

describe("the digest", () => {
  test("does not depend on the order of keys or files, but on every value", () => {
    const a = world.write("ws/a.js", "1");
    const b = world.write("ws/b.js", "2");
    const digest = declarationDigest({ command: "node", args: ["a"], env: { X: "1" } }, [a, b]);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(declarationDigest({ env: { X: "1" }, args: ["a"], command: "node" }, [b, a])).toBe(digest);
    expect(declarationDigest({ command: "node", args: ["a"], env: { X: "2" } }, [a, b])).not.toBe(digest);
    expect(declarationDigest({ command: "node", args: ["a"], env: { X: "1" } }, [a])).not.toBe(digest);
  });
  test("changes with a file's content, also where size and time stay the same", () => {
    const file = world.write("ws/a.js", "one");
    const before = declarationDigest({}, [file]);
    const { atime, mtime } = fs.statSync(file);
    fs.writeFileSync(file, "two");
    fs.utimesSync(file, atime, mtime);
    const after = declarationDigest({}, [file]);
    expect(after).not.toBe(before);
    fs.writeFileSync(file, "one");
    expect(declarationDigest({}, [file])).toBe(before);
    fs.rmSync(file);
    expect(declarationDigest({}, [file])).not.toBe(before);
  });
  test("of a bundle stays when it is moved", () => {
    world.write("one/plugin.json", "{}");
    world.write("one/sub/tool.py", "x");
    const at = (name: string): string => path.join(world.top, name);
    const before = declarationDigest({}, folderFiles(at("one")), at("one"));
    fs.renameSync(at("one"), at("two"));
    expect(declarationDigest({}, folderFiles(at("two")), at("two"))).toBe(before);
    fs.renameSync(path.join(at("two"), "sub"), path.join(at("two"), "other"));
    expect(declarationDigest({}, folderFiles(at("two")), at("two"))).not.toBe(before);
  });
});

describe("a bundle's files", () => {
  test("are all but .git at its top, and the data folder", () => {
    for (const name of ["plugin.json", ".hidden", "sub/a", "sub/.git/b", ".git/config", "data/state"])
      world.write(`p/${name}`, "");
    const folder = path.join(world.top, "p");
    const names = folderFiles(folder, [path.join(folder, "data")]).map((file) => path.relative(folder, file));
    expect(names).toEqual([".hidden", "plugin.json", "sub/.git/b", "sub/a"]);
  });
  test("are followed through links, and a circle ends", () => {
    world.write("outside/tool.py", "1");
    world.write("p/plugin.json", "{}");
    const folder = path.join(world.top, "p");
    fs.symlinkSync(path.join(world.top, "outside"), path.join(folder, "linked"));
    fs.symlinkSync(folder, path.join(folder, "self"));
    fs.symlinkSync("/nowhere", path.join(folder, "dangling"));
    const files = folderFiles(folder);
    expect(files.map((file) => path.relative(folder, file))).toEqual([
      "dangling",
      "linked/tool.py",
      "plugin.json",
    ]);
    const before = declarationDigest({}, files, folder);
    world.write("outside/tool.py", "2");
    expect(declarationDigest({}, folderFiles(folder), folder)).not.toBe(before);
  });
  test("that are too many are refused", () => {
    expect(() => folderFiles("/nonexistent-folder")).toThrow(expect.objectContaining({ code: "io" }));
  });
});

test("arguments that name regular files of the workspace are brought along", () => {
  const server = world.write("ws/server.js", "");
  const flag = world.write("ws/conf/a.json", "");
  world.write("outside.js", "");
  fs.symlinkSync(path.join(world.top, "outside.js"), path.join(world.workspace, "out.js"));
  const argv = [
    "node",
    "server.js",
    "--config=conf/a.json",
    "conf",
    "../outside.js",
    "out.js",
    "missing",
    "",
    "x\0y",
    server,
  ];
  expect(argumentFiles(argv, world.workspace, world.workspace)).toEqual([flag, server].sort());
  expect(argumentFiles(["a.json"], path.join(world.workspace, "conf"), world.workspace)).toEqual([flag]);
});
