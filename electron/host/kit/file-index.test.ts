import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sha256 } from "./files.ts";
import { FileIndex, plainForm, type FileStamp } from "./file-index.ts";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-index-"));
});
afterEach(() => {
  fs.chmodSync(folder, 0o700);
  fs.rmSync(folder, { recursive: true });
});

const same = <T>(value: T): T => value;
const isText = (value: unknown): value is string => typeof value === "string";
const file = (): string => path.join(folder, "sub", "index.json");
const open = (version = "1", now = 10_000_000): FileIndex<string> =>
  new FileIndex({ file: file(), version, form: plainForm(isText), clock: { now: () => now } });
const stamp: FileStamp = { size: 3, mtimeMs: 1000.25, ctimeMs: 1000.5, ino: 7 };
const at = (...paths: readonly string[]) => paths.map((one) => ({ path: one, stamp }));
/** A saved index of these paths, each with its path as the value. */
async function saved(...paths: readonly string[]): Promise<FileIndex<string>> {
  const index = open();
  await index.getMany(at(...paths), same);
  for (const one of paths) index.set({ path: one, stamp }, one);
  await index.save(new Set(paths));
  return index;
}
const write = (text: string): void => {
  fs.mkdirSync(path.dirname(file()), { recursive: true });
  fs.writeFileSync(file(), text);
};

test("keeps values from start to start, for the very same file", async () => {
  await saved("/a");
  expect(await open().getMany(at("/a"), same)).toEqual(["/a"]);
  expect(await open("2").getMany(at("/a"), same)).toEqual([undefined]);
});
test.each([
  ["size", { size: 4 }],
  ["time of writing", { mtimeMs: 1000.5 }],
  ["time of change", { ctimeMs: 1000.25 }],
  ["inode, where size and times are the same", { ino: 8 }],
])("a file of another %s is another file", async (_, other) => {
  await saved("/a");
  expect(await open().getMany([{ path: "/a", stamp: { ...stamp, ...other } }], same)).toEqual([undefined]);
});
test("the order in which files are asked for changes nothing, nor do those that are new or gone", async () => {
  const paths = Array.from({ length: 450 }, (_, one) => `/skills/skill-${one}/SKILL.md`);
  await saved(...paths);
  const asked = [
    paths,
    paths.toReversed(),
    paths.filter((_, one) => one % 3 !== 0),
    ["/new", ...paths],
    [...paths.slice(0, 200), "/skills/new", ...paths.slice(200), "/new"],
    ["/new"],
    [],
  ];
  for (const list of asked)
    expect(await open().getMany(at(...list), same)).toEqual(
      list.map((one) => (one.includes("new") ? undefined : one)),
    );
});
test("what is set counts before what stands in the file, and only where it was set", async () => {
  await saved("/a", "/b", "/c");
  const index = open();
  const newer = { ...stamp, size: 9 };
  index.set({ path: "/b", stamp: newer }, "B");
  expect(await index.getMany(at("/a", "/b", "/c"), same)).toEqual(["/a", undefined, "/c"]);
  expect(await index.getMany([{ path: "/b", stamp: newer }], same)).toEqual(["B"]);
  await index.save(new Set(["/a", "/b", "/c"]));
  expect(await open().getMany([{ path: "/b", stamp: newer }, ...at("/a")], same)).toEqual(["B", "/a"]);
});
test.each([
  ["just now, as it may change again within the same moment", 1020, stamp],
  ["in this second, on a disk that keeps whole seconds", 2_500, { ...stamp, mtimeMs: 1000, ctimeMs: 1000 }],
  ["in the time to come", 0, stamp],
])("does not believe a file that changed %s", async (_, now, own) => {
  const index = open("1", now);
  index.set({ path: "/a", stamp: own }, "A");
  expect(await index.getMany([{ path: "/a", stamp: own }], same)).toEqual([undefined]);
});
test("a file that changed just now takes away what was known of it", async () => {
  await saved("/a");
  const index = open("1", 1020);
  index.set({ path: "/a", stamp }, "new");
  expect(await index.getMany(at("/a"), same)).toEqual([undefined]);
  await index.save(new Set(["/a"]));
  expect(await open().getMany(at("/a"), same)).toEqual([undefined]);
});
test("forgets what is gone, and writes only where something changed", async () => {
  await saved("/a", "/b");
  const { ino } = fs.statSync(file());
  const second = open();
  await second.getMany(at("/a", "/b"), same);
  await second.save(new Set(["/a", "/b"]));
  expect(fs.statSync(file()).ino).toBe(ino);
  await second.save(new Set(["/b"]));
  expect(await open().getMany(at("/a", "/b"), same)).toEqual([undefined, "/b"]);
});
test("paths of every kind come back as they were", async () => {
  const paths = [
    "C:\\skills\\a\\SKILL.md",
    "/täst/技能/SKILL.md",
    "/täst/技巧/SKILL.md",
    "/smile/\u{1F600}/x",
    "/smile/\u{1F601}/x",
    "/tab\tand\nline",
    "__proto__",
    "constructor",
    "",
    "\ud800",
  ];
  await saved(...paths);
  expect(await open().getMany(at(...paths), same)).toEqual(paths);
});
test.each([
  "",
  "{",
  "[]",
  '"1"',
  '"1"\n{}\n',
  '"1"\nnull\n',
  '"1"\n[[1,2]]\n',
  '"1"\n[[0],["/a"],[3],[1000.25],[1000.5],[7],["A"]]\n',
  '"1"\n0123456789abcdef [[0],["/a"],[3],[1000.25],[1000.5],[7],["A"]]\n',
  '"1"\n0123456789abcdef\n',
  '"1"\n\n\n',
  '{"version":"1","rows":{"/a":[3,1000.25,1000.5,7,"A"]}}',
])("%j on disk is an empty index, which the next one replaces", async (text) => {
  write(text);
  const index = open();
  expect(await index.getMany(at("/a", "__proto__"), same)).toEqual([undefined, undefined]);
  index.set({ path: "/a", stamp }, "A");
  await index.save(new Set(["/a"]));
  expect(await open().getMany(at("/a"), same)).toEqual(["A"]);
});
test("damage costs the line that it is in and those behind it", async () => {
  const paths = Array.from({ length: 450 }, (_, one) => `/skills/skill-${one}`);
  await saved(...paths);
  const lines = fs.readFileSync(file(), "utf8").split("\n");
  lines[2] = lines[2]?.slice(0, 100) ?? "";
  write(lines.join("\n"));
  expect(await open().getMany(at(...paths), same)).toEqual(
    paths.map((one, position) => (position >= 100 ? undefined : one)),
  );
});
test("a character that changed in a line costs as much", async () => {
  const paths = Array.from({ length: 250 }, (_, one) => `/skills/skill-${one}`);
  await saved(...paths);
  write(fs.readFileSync(file(), "utf8").replace('"/skills/skill-120"', '"/skills/skill-12x"'));
  expect(await open().getMany(at(...paths), same)).toEqual(
    paths.map((one, position) => (position >= 100 ? undefined : one)),
  );
});
test.each([
  "{",
  "null",
  "[5,5,5,5,5,5,5]",
  "[null,null,null,null,null,null,null]",
  "[[],[],[],[],[],[],[]]",
  "[[0],[],[],[],[],[],[]]",
])("%s with a right digest is damage too", async (text) => {
  write(`"1"\n${sha256(text).slice(0, 16)} ${text}\n`);
  expect(await open().getMany(at("/a"), same)).toEqual([undefined]);
});
test("millions of damaged lines are not looked at", async () => {
  write(`"1"\n${"\n".repeat(20_000_000)}`);
  expect(await open().getMany(at("/a"), same)).toEqual([undefined]);
});
test("a line that was cut off at its end is none", async () => {
  await saved("/a");
  write(fs.readFileSync(file(), "utf8").slice(0, -1));
  expect(await open().getMany(at("/a"), same)).toEqual([undefined]);
});
test("an index larger than any that was written here is not read", async () => {
  write('"1"\n');
  fs.truncateSync(file(), 65 * 1024 * 1024);
  expect(await open().getMany(at("/a"), same)).toEqual([undefined]);
});
test("two who save at once leave the index of one of them, whole", async () => {
  const [first, second] = [open(), open()];
  const paths = Array.from({ length: 600 }, (_, one) => `/skills/skill-${one}`);
  for (const [index, value] of [
    [first, "1"],
    [second, "2"],
  ] as const) {
    await index.getMany(at("/skills/skill-0"), same);
    for (const one of paths) index.set({ path: one, stamp }, value);
  }
  await Promise.all([first.save(new Set(paths)), second.save(new Set(paths))]);
  const values = await open().getMany(at(...paths), same);
  expect([...new Set(values)]).toHaveLength(1);
  expect(["1", "2"]).toContain(values[0]);
  expect(fs.readdirSync(path.dirname(file()))).toEqual(["index.json"]);
});
test("what is set while it is saved is kept for the next time", async () => {
  const index = await saved("/a", "/b");
  const paths = new Set(["/a", "/b", "/c"]);
  index.set({ path: "/c", stamp }, "C");
  const saving = index.save(paths);
  index.set({ path: "/b", stamp }, "B");
  await saving;
  expect(await index.getMany(at("/b", "/c"), same)).toEqual(["B", "C"]);
  await index.save(paths);
  expect(await open().getMany(at("/a", "/b", "/c"), same)).toEqual(["/a", "B", "C"]);
});
test("a folder that cannot be written is told, and nothing that is known is lost by it", async () => {
  write("");
  fs.rmSync(file());
  fs.rmdirSync(path.dirname(file()));
  // A file stands where the folder should be, which no user may write through.
  fs.writeFileSync(path.dirname(file()), "");
  const index = open();
  await index.getMany(at("/a"), same);
  index.set({ path: "/a", stamp }, "A");
  await expect(index.save(new Set(["/a"]))).rejects.toMatchObject({ code: "io" });
  expect(await index.getMany(at("/a"), same)).toEqual(["A"]);
  fs.rmSync(path.dirname(file()));
  await index.save(new Set(["/a"]));
  expect(await open().getMany(at("/a"), same)).toEqual(["A"]);
});
test("others have the thread between two lines that are read", async () => {
  const paths = Array.from({ length: 450 }, (_, one) => `/skills/skill-${one}`);
  await saved(...paths);
  let asked = 0;
  const values = await open().getMany(at(...paths.toReversed()), same, () => {
    asked++;
    return Promise.resolve();
  });
  expect(values).toEqual(paths.toReversed());
  expect(asked).toBeGreaterThan(450);
});
test("a line longer than what is read at once is read whole", async () => {
  const index = open();
  const long = "x".repeat(300_000);
  await index.getMany(at("/a", "/b"), same);
  index.set({ path: "/a", stamp }, long);
  index.set({ path: "/b", stamp }, "技".repeat(50_000));
  await index.save(new Set(["/a", "/b"]));
  expect(await open().getMany(at("/a", "/b"), same)).toEqual([long, "技".repeat(50_000)]);
});
test.runIf(process.platform === "linux")(
  "leaves no file open, also where it is not read to its end",
  async () => {
    const paths = Array.from({ length: 450 }, (_, one) => `/skills/skill-${one}`);
    await saved(...paths);
    const count = (): number => fs.readdirSync("/proc/self/fd").length;
    const before = count();
    await open().getMany(at("/skills/skill-0"), same);
    const stopped = open().getMany(at(...paths), same, () => Promise.reject(new Error("enough")));
    await expect(stopped).rejects.toThrow("enough");
    await open("2").getMany(at(...paths), same);
    expect(count()).toBe(before);
  },
);
test("asks nobody where there is nothing to keep", async () => {
  await open().save(new Set());
  expect(fs.readdirSync(folder)).toEqual([]);
});
