import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FileReader } from "./file-reader.ts";
import { refusesLinks } from "./files.ts";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-reader-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));
const write = (name: string, data: string | Buffer): string => {
  const file = path.join(folder, name);
  fs.writeFileSync(file, data);
  return file;
};
const most = 200_000;

test("reads files one after the other, whatever their sizes", () => {
  const reader = new FileReader();
  for (const size of [10, 0, 32 * 1024, 32 * 1024 - 1, 150_000, 3]) {
    const data = Buffer.alloc(size, `${size}`);
    expect(reader.read(write("a", data), most, true).equals(data)).toBe(true);
  }
});
test("never reads further than it is allowed to", () => {
  const reader = new FileReader();
  expect(() => reader.read(write("a", Buffer.alloc(most + 1)), most, true)).toThrow("larger than");
  expect(reader.read(write("b", Buffer.alloc(most)), most, true)).toHaveLength(most);
});
test.runIf(process.platform === "linux")("a device without an end is not read to it", () => {
  expect(() => new FileReader().read("/dev/zero", most, true)).toThrow("larger than");
});
test("a folder is told for what it is, a missing file by the system's code", () => {
  expect(() => new FileReader().read(folder, most, true)).toThrow("no regular file");
  expect(() => new FileReader().read(path.join(folder, "none"), most, true)).toThrow("ENOENT");
});
test.runIf(process.platform !== "win32")("a pipe is not waited for", () => {
  const pipe = path.join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  expect(() => new FileReader().read(pipe, most, true)).toThrow("no regular file");
});
test.runIf(refusesLinks)("a link is followed only where that was asked for", () => {
  const link = path.join(folder, "link");
  fs.symlinkSync(write("a", "text"), link);
  expect(new FileReader().read(link, most, true).toString()).toBe("text");
  expect(() => new FileReader().read(link, most, false)).toThrow("ELOOP");
});
