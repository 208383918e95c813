import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { run } from "../kit/process.ts";
import { largestResource, listResources, mostResources, readResource } from "./resources.ts";
import { SkillWorld } from "./world.testkit.ts";

let world: SkillWorld;
let folder: string;
beforeEach(() => {
  world = new SkillWorld();
  folder = path.dirname(world.skill("skill", { name: "skill", description: "D." }));
});
afterEach(() => {
  vi.restoreAllMocks();
  world.remove();
});

test("lists what lies inside, nearest first, without its own file, hidden ones and walked links", () => {
  world.write("skill/b.md", "");
  world.write("skill/scripts/a.py", "");
  world.write("skill/.git/config", "");
  world.write("skill/node_modules/x/index.js", "");
  world.write("outside/secret", "");
  world.link(world.at("project/outside"), "skill/out");
  world.link(world.at("project/outside/secret"), "skill/secret");
  world.link(folder, "skill/self");
  world.link(path.join(folder, "b.md"), "skill/alias.md");
  world.link(world.at("nowhere"), "skill/half");
  const { problems, ...listed } = listResources(folder);
  expect(listed).toEqual({ files: ["alias.md", "b.md", "scripts/a.py"], more: 0, whole: true });
  expect(problems.map(({ code, path: at }) => `${code} ${path.basename(at ?? "")}`)).toEqual([
    "skill-link half",
    "skill-link-outside out",
    "skill-link-outside secret",
    "skill-link-cycle self",
  ]);
});
test("of a folder with fifty thousand files a few thousand names are looked at", () => {
  const calls = vi.spyOn(fs.Dir.prototype, "readSync");
  for (let index = 0; index < 6_000; index++) fs.writeFileSync(path.join(folder, `f${index}`), "");
  const { files, whole } = listResources(folder);
  expect(files).toHaveLength(mostResources);
  expect(whole).toBe(false);
  expect(calls.mock.calls.length).toBeLessThanOrEqual(5_000);
});
test("a skill that was removed meanwhile has no files, and reading one says so", () => {
  fs.rmSync(folder, { recursive: true });
  expect(listResources(folder)).toEqual({ files: [], more: 0, whole: true, problems: [] });
  expect(() => readResource(folder, "a.md")).toThrow("is gone");
});
test("fifty names, then how many more", () => {
  for (let index = 0; index < 60; index++) world.write(`skill/${String(index).padStart(2, "0")}.md`, "");
  const { files, ...rest } = listResources(folder);
  expect(files).toHaveLength(mostResources);
  expect(files[0]).toBe("00.md");
  expect(rest).toEqual({ more: 10, whole: true, problems: [] });
});
test("reads a file inside, also over a link and by its absolute path", () => {
  const file = world.write("skill/a/b.md", "text");
  world.link(file, "skill/link.md");
  expect(readResource(folder, "a/b.md")).toBe("text");
  expect(readResource(folder, "a/../a/b.md")).toBe("text");
  expect(readResource(folder, "link.md")).toBe("text");
  expect(readResource(folder, file)).toBe("text");
});
test.each(["../outside.md", "out.md", "/etc/passwd", "dir/outside.md", "../skill-evil/a.md"])(
  "%s is refused",
  (file) => {
    const outside = world.write("outside.md", "secret");
    world.write("skill-evil/a.md", "secret");
    world.link(outside, "skill/out.md");
    world.link(world.workspace, "skill/dir");
    expect(() => readResource(folder, file)).toThrow("outside the skill's folder");
  },
);
test.each([
  ["none.md", "no file none.md"],
  ["sub", "is no file"],
  ["bin", "is no text (4 bytes)"],
])("%s: %s", (file, message) => {
  world.write("skill/sub/x", "");
  world.write("skill/bin", "a\0bc");
  expect(() => readResource(folder, file)).toThrow(message);
});
test.skipIf(process.platform === "win32")("a pipe is not waited for", async () => {
  await run({ command: "mkfifo", args: [path.join(folder, "pipe")] });
  expect(fs.existsSync(path.join(folder, "pipe"))).toBe(true);
  expect(() => readResource(folder, "pipe")).toThrow("is no file");
});
test("cut at 512 KB, at a character's border", () => {
  world.write("skill/big.md", `a${"字".repeat(200_000)}`);
  const text = readResource(folder, "big.md");
  expect(text.endsWith(`\n[cut: the first ${largestResource} of 600001 bytes]`)).toBe(true);
  expect(text).not.toContain("\uFFFD");
  world.write("skill/full.md", "a".repeat(largestResource));
  expect(readResource(folder, "full.md")).toHaveLength(largestResource);
});
