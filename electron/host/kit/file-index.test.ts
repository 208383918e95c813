import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FileIndex } from "./file-index.ts";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-index-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const isText = (value: unknown): value is string => typeof value === "string";
const open = (version = "1", now = 10_000): FileIndex<string> =>
  new FileIndex({
    file: path.join(folder, "sub", "index.json"),
    version,
    isValue: isText,
    clock: { now: () => now },
  });
const stamp = { size: 3, mtimeMs: 1000.25, ctimeMs: 1000.5, ino: 7 };

test("keeps values from start to start, for the very same file", async () => {
  const first = open();
  first.set("/a", stamp, "A");
  await first.save(new Set(["/a", "/b"]));
  const second = open();
  expect(second.get("/a", stamp)).toBe("A");
  for (const key of ["size", "mtimeMs", "ctimeMs", "ino"] as const)
    expect(second.get("/a", { ...stamp, [key]: 1 })).toBeUndefined();
  expect(open("2").get("/a", stamp)).toBeUndefined();
});
test("does not believe a file that changed just now", () => {
  const index = open("1", 1020);
  index.set("/a", stamp, "A");
  expect(index.get("/a", stamp)).toBeUndefined();
});
test("forgets what is gone, and writes only then", async () => {
  const first = open();
  first.set("/a", stamp, "A");
  first.set("/b", stamp, "B");
  await first.save(new Set(["/a", "/b"]));
  const file = path.join(folder, "sub", "index.json");
  const { ino } = fs.statSync(file);
  const second = open();
  expect(second.get("/a", stamp)).toBe("A");
  await second.save(new Set(["/a", "/b"]));
  expect(fs.statSync(file).ino).toBe(ino);
  await second.save(new Set(["/b"]));
  expect(open().get("/a", stamp)).toBeUndefined();
  expect(open().get("/b", stamp)).toBe("B");
});
test.each([
  "",
  "{",
  "[]",
  '{"version":"1"}',
  '{"version":"1","rows":{"/a":[1,2]}}',
  '{"version":"1","rows":null}',
])("%j on disk is an empty index", async (text) => {
  fs.mkdirSync(path.join(folder, "sub"));
  fs.writeFileSync(path.join(folder, "sub", "index.json"), text);
  const index = open();
  expect(index.get("/a", stamp)).toBeUndefined();
  index.set("/a", stamp, "A");
  await index.save(new Set(["/a"]));
  expect(open().get("/a", stamp)).toBe("A");
});
test("asks nobody where there is nothing to keep", async () => {
  const index = open();
  await index.save(new Set());
  expect(fs.readdirSync(folder)).toEqual([]);
});
