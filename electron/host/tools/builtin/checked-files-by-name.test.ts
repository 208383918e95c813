import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";

/** The way of platforms that cannot name a handle, on whatever platform the test runs. */
const exists = vi.spyOn(fs, "existsSync").mockImplementation(() => false);
const { openFile, readWhole, withFolder, writeWhole } = await import("./checked-files.ts");
exists.mockRestore();
const posix = process.platform !== "win32";

let root: string;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-named-")));
});
afterEach(() => fs.rmSync(root, { recursive: true }));
afterAll(() => vi.restoreAllMocks());
const at = (...names: string[]): string => path.join(root, ...names);

it("reads, lists and writes, and makes folders", async () => {
  await writeWhole(at("a", "b", "c"), "a/b/c", "text");
  await expect(readWhole(at("a", "b", "c"), "a/b/c", 100)).resolves.toEqual(Buffer.from("text"));
  const names = await withFolder(at("a", "b"), { shown: "a/b" }, (folder) => fs.promises.readdir(folder));
  expect(names).toEqual(["c"]);
  const { handle, path: named } = await openFile(at("a", "b", "c"), "a/b/c");
  await handle.close();
  expect(named).toBe(at("a", "b", "c"));
});
it("names what is missing or of another kind", async () => {
  fs.writeFileSync(at("file"), "");
  await expect(readWhole(at("none"), "none", 100)).rejects.toThrow("none does not exist");
  await expect(withFolder(at("file"), { shown: "file" }, () => Promise.resolve())).rejects.toThrow(
    "file is a file, not a folder",
  );
  await expect(withFolder(at("none"), { shown: "none" }, () => Promise.resolve())).rejects.toThrow(
    "none does not exist",
  );
});
it.runIf(posix)("refuses what was swapped for a link, and leaves its target alone", async () => {
  fs.mkdirSync(at("outside"));
  fs.writeFileSync(at("outside", "secret"), "secret");
  fs.symlinkSync(at("outside"), at("inside"));
  await expect(readWhole(at("inside", "secret"), "inside/secret", 100)).rejects.toThrow(/changed while/);
  await expect(writeWhole(at("inside", "secret"), "inside/secret", "x")).rejects.toThrow(/changed while/);
  await expect(writeWhole(at("inside", "new", "x"), "inside/new/x", "x")).rejects.toThrow(/changed while/);
  await expect(withFolder(at("inside"), { shown: "inside" }, () => Promise.resolve())).rejects.toThrow(
    /changed while/,
  );
  expect(fs.readdirSync(at("outside"))).toEqual(["secret"]);
  expect(fs.readFileSync(at("outside", "secret"), "utf8")).toBe("secret");
});
it.runIf(posix)("notices a swap while the folder was in use", async () => {
  fs.mkdirSync(at("folder"));
  fs.mkdirSync(at("outside"));
  const used = withFolder(at("folder"), { shown: "folder" }, () => {
    fs.rmdirSync(at("folder"));
    fs.symlinkSync(at("outside"), at("folder"));
    return Promise.resolve();
  });
  await expect(used).rejects.toThrow(/changed while/);
});
