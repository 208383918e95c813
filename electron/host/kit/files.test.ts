import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isInside, readText, realPath, sha256, textOrNone, writeAtomic } from "./files.ts";

let folder: string;
beforeEach(() => {
  folder = fs.realpathSync.native(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-files-")));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));
const at = (...names: string[]): string => path.join(folder, ...names);
const onPosix = describe.skipIf(process.platform === "win32");
const asUser = it.skipIf(process.platform === "win32" || process.getuid?.() === 0);

describe("sha256", () => {
  it("takes text as UTF-8", () => {
    expect(sha256("é")).toBe(sha256(Buffer.from([0xc3, 0xa9])));
    expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });
});

describe("readText", () => {
  it("is undefined for what is not there, also below a file", () => {
    fs.writeFileSync(at("a"), "x");
    expect(readText(at("a"))).toBe("x");
    expect(readText(at("b"))).toBeUndefined();
    expect(readText(at("a", "b"))).toBeUndefined();
  });
  it("fails for a folder, and names it", () => {
    expect(() => readText(folder)).toThrow(expect.objectContaining({ code: "io" }) as Error);
    expect(() => readText(folder)).toThrow(folder);
  });
});

describe("isInside", () => {
  it.each([
    ["/tree", "/tree", true],
    ["/tree", "/tree/a/b", true],
    ["/tree", "/tree-evil", false],
    ["/tree", "/tree-evil/a", false],
    ["/tree/a", "/tree", false],
    ["/tree", "/tree/..evil", true],
    ["/tree", "/tree/...", true],
    ["/tree", "/other", false],
    ["/", "/anything", true],
    ["/tree", "/Tree/a", false],
  ])("%s holds %s on Linux: %s", (outer, inner, expected) => {
    expect(isInside(outer, inner, "linux")).toBe(expected);
  });
  it.each([
    ["C:\\work", "c:\\WORK\\a", true],
    ["C:\\work", "C:\\work-evil", false],
    ["C:\\work", "D:\\work\\a", false],
    ["C:\\work", "\\\\server\\share\\a", false],
  ])("%s holds %s on Windows: %s", (outer, inner, expected) => {
    expect(isInside(outer, inner, "win32")).toBe(expected);
  });
  it.each([
    ["/work", "/WORK/a", true],
    ["/caf\u00e9", "/cafe\u0301/a", true],
    ["/work", "/work-evil", false],
  ])("%s holds %s on macOS: %s", (outer, inner, expected) => {
    expect(isInside(outer, inner, "darwin")).toBe(expected);
  });
});

describe("realPath", () => {
  it("gives what does not exist below its nearest ancestor", () => {
    expect(realPath(at("a", "b", "c.txt"))).toBe(at("a", "b", "c.txt"));
    expect(realPath(at("a", "..", "b"))).toBe(at("b"));
    expect(realPath(path.join(folder, ".", "a"))).toBe(at("a"));
    expect(realPath("does-not-exist")).toBe(path.join(fs.realpathSync.native("."), "does-not-exist"));
  });
  it("lets a file stand in the way", () => {
    fs.writeFileSync(at("a"), "");
    expect(realPath(at("a", "b"))).toBe(at("a", "b"));
  });
});

onPosix("realPath through links", () => {
  beforeEach(() => {
    fs.mkdirSync(at("inside"));
    fs.mkdirSync(at("outside", "deep"), { recursive: true });
    fs.symlinkSync(at("outside", "deep"), at("inside", "link"));
  });
  it("resolves a link before the name that does not exist", () => {
    expect(realPath(at("inside", "link", "new", "file"))).toBe(at("outside", "deep", "new", "file"));
  });
  it("takes the parent of the target for link/..", () => {
    expect(realPath(`${at("inside", "link")}/../new`)).toBe(at("outside", "new"));
    expect(realPath(`${at("inside", "link")}/../deep`)).toBe(at("outside", "deep"));
    expect(realPath(`${at("inside")}/absent/../link/../new`)).toBe(at("outside", "new"));
  });
  it("follows a link to what does not exist yet, relative ones too", () => {
    fs.symlinkSync(at("outside", "later"), at("inside", "dangling"));
    fs.symlinkSync("../outside/later", at("inside", "relative"));
    expect(realPath(at("inside", "dangling"))).toBe(at("outside", "later"));
    expect(realPath(at("inside", "relative", "x"))).toBe(at("outside", "later", "x"));
  });
  it("refuses links that go in a circle", () => {
    fs.symlinkSync(at("b"), at("a"));
    fs.symlinkSync(at("a"), at("b"));
    expect(() => realPath(at("a", "x"))).toThrow(expect.objectContaining({ code: "io" }) as Error);
  });
});

describe("writeAtomic", () => {
  it("makes folders, replaces, leaves nothing beside", async () => {
    await writeAtomic(at("new", "file"), "one");
    await writeAtomic(at("new", "file"), Buffer.from("two"));
    expect(readText(at("new", "file"))).toBe("two");
    expect(fs.readdirSync(at("new"))).toEqual(["file"]);
  });
  it("writes many at once, each whole", async () => {
    const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(100_000));
    await Promise.all(texts.map((text) => writeAtomic(at("file"), text)));
    expect(texts).toContain(readText(at("file")));
    expect(fs.readdirSync(folder)).toEqual(["file"]);
  });
  it("leaves the old file and nothing else where it fails", async () => {
    fs.mkdirSync(at("taken", "by-folder"), { recursive: true });
    await expect(writeAtomic(at("taken"), "x")).rejects.toMatchObject({
      code: "io",
      message: expect.stringContaining(at("taken")) as unknown,
    });
    expect(fs.readdirSync(folder)).toEqual(["taken"]);
  });
});

onPosix("writeAtomic on POSIX", () => {
  it("a pipe, or a link to one, stays what it is", async () => {
    const { run } = await import("./process.ts");
    await run({ command: "mkfifo", args: [at("pipe")] });
    fs.symlinkSync("pipe", at("to-pipe"));
    for (const name of ["pipe", "to-pipe"])
      await expect(writeAtomic(at(name), "x")).rejects.toMatchObject({
        code: "io",
        message: expect.stringContaining("no regular file"),
      });
    expect(fs.statSync(at("pipe")).isFIFO()).toBe(true);
    expect(fs.readdirSync(folder).sort()).toEqual(["pipe", "to-pipe"]);
  });
  it("keeps the mode, whatever the umask", async () => {
    fs.writeFileSync(at("file"), "old");
    fs.chmodSync(at("file"), 0o666);
    await writeAtomic(at("file"), "new");
    expect(fs.statSync(at("file")).mode & 0o7777).toBe(0o666);
    fs.chmodSync(at("file"), 0o600);
    await writeAtomic(at("file"), "new");
    expect(fs.statSync(at("file")).mode & 0o7777).toBe(0o600);
  });
  it("follows a link, also one to nothing", async () => {
    fs.writeFileSync(at("real"), "old");
    fs.symlinkSync("real", at("link"));
    fs.symlinkSync(at("later"), at("dangling"));
    await writeAtomic(at("link"), "new");
    await writeAtomic(at("dangling"), "made");
    expect(readText(at("real"))).toBe("new");
    expect(readText(at("later"))).toBe("made");
    expect(fs.lstatSync(at("link")).isSymbolicLink()).toBe(true);
    expect(fs.lstatSync(at("dangling")).isSymbolicLink()).toBe(true);
  });
  asUser("says which folder it may not write to", async () => {
    fs.chmodSync(folder, 0o500);
    await expect(writeAtomic(at("file"), "x")).rejects.toMatchObject({ code: "io" });
    fs.chmodSync(folder, 0o700);
  });
});

onPosix("what is no regular file", () => {
  it("is never waited for: a pipe, a device and a link to one are told as such", async () => {
    const { run } = await import("./process.ts");
    await run({ command: "mkfifo", args: [at("pipe")] });
    fs.symlinkSync("/dev/zero", at("zero"));
    fs.symlinkSync("/dev/tty", at("terminal"));
    for (const name of ["pipe", "zero", "terminal"]) {
      expect(() => readText(at(name))).toThrow(/no regular file/);
      expect(textOrNone(at(name))).toBeUndefined();
    }
  });
  it("is not read over the limit", () => {
    fs.writeFileSync(at("large"), "");
    fs.truncateSync(at("large"), 65 * 1024 * 1024);
    expect(() => readText(at("large"))).toThrow(/larger than 64 MB/);
    expect(readText(at("large"), 66 * 1024 * 1024)).toHaveLength(65 * 1024 * 1024);
  });
});
