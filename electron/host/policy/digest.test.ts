import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type World } from "../config/world.testkit.ts";
import { fingerprint, folderFiles } from "./digest.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

const digestOf = (...request: Parameters<typeof fingerprint>): string => fingerprint(...request).digest;

describe("the digest", () => {
  test("does not depend on the order of keys or files, but on every value", () => {
    const a = world.write("ws/a.js", "1");
    const b = world.write("ws/b.js", "2");
    const digest = digestOf({ command: "node", args: ["a"], env: { X: "1" } }, [a, b]);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(digestOf({ env: { X: "1" }, args: ["a"], command: "node" }, [b, a])).toBe(digest);
    expect(digestOf({ command: "node", args: ["a"], env: { X: "2" } }, [a, b])).not.toBe(digest);
    expect(digestOf({ command: "node", args: ["a"], env: { X: "1" } }, [a])).not.toBe(digest);
  });
  test("changes with a file's content, also where size and time stay the same", () => {
    const file = world.write("ws/a.js", "one");
    const before = digestOf({}, [file]);
    const { atime, mtime } = fs.statSync(file);
    fs.writeFileSync(file, "two");
    fs.utimesSync(file, atime, mtime);
    const after = digestOf({}, [file]);
    expect(after).not.toBe(before);
    fs.writeFileSync(file, "one");
    expect(digestOf({}, [file])).toBe(before);
    fs.rmSync(file);
    expect(digestOf({}, [file])).not.toBe(before);
  });
  test("of a bundle stays when it is moved", () => {
    world.write("one/plugin.json", "{}");
    world.write("one/sub/tool.py", "x");
    const at = (name: string): string => path.join(world.top, name);
    const before = digestOf({}, folderFiles(at("one")), { base: at("one") });
    fs.renameSync(at("one"), at("two"));
    expect(digestOf({}, folderFiles(at("two")), { base: at("two") })).toBe(before);
    fs.renameSync(path.join(at("two"), "sub"), path.join(at("two"), "other"));
    expect(digestOf({}, folderFiles(at("two")), { base: at("two") })).not.toBe(before);
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
      "linked",
      "linked/tool.py",
      "plugin.json",
      "self",
    ]);
    const before = digestOf({}, files, { base: folder });
    world.write("outside/tool.py", "2");
    expect(digestOf({}, folderFiles(folder), { base: folder })).not.toBe(before);
  });
  test("that are too many are refused", () => {
    expect(() => folderFiles("/nonexistent-folder")).toThrow(expect.objectContaining({ code: "io" }));
  });
});
test("a link in a bundle that is turned to another of its folders changes the digest, for it means other files", () => {
  for (const name of ["lib/a.js", "lib2/a.js"]) world.write(`p/${name}`, name);
  const folder = path.join(world.top, "p");
  const link = path.join(folder, "z");
  const digest = (): string => digestOf({}, folderFiles(folder), { base: folder });
  fs.symlinkSync("lib", link);
  const before = digest();
  fs.rmSync(link);
  fs.symlinkSync("lib2", link);
  expect(digest()).not.toBe(before);
});
test("a file that is too large to be read in a moment cannot be approved", () => {
  const file = world.write("ws/big.bin", "");
  fs.truncateSync(file, 257 * 1024 * 1024);
  expect(() => digestOf({}, [file])).toThrow(expect.objectContaining({ code: "invalid_input" }));
  fs.truncateSync(file, 3 * 1024 * 1024);
  expect(digestOf({}, [file])).toMatch(/^[0-9a-f]{64}$/);
});
