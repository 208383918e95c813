import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWorld, type World } from "../config/world.testkit.ts";
import { newSkillText } from "../skills/new-skill.ts";
import { writeSkillFile } from "./new-file.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => {
  vi.restoreAllMocks();
  world.remove();
});
const write = (name: string, scope: "user" | "workspace" = "workspace"): Promise<string> =>
  writeSkillFile(
    { name, text: newSkillText(name), scope },
    { ...world, isKept: () => undefined, roots: () => [] },
  );
const skills = (): string => path.join(world.workspace, ".agent", "skills");

test.each(["", "PDF Tools", "../up", "a--b", "-a", "a/b", "a:b", "a".repeat(65)])(
  "%j is refused as a name, and nothing is made",
  async (name) => {
    await expect(write(name)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("is no skill name"),
    });
    expect(fs.readdirSync(world.workspace)).toEqual([]);
  },
);
test("a folder of the name is never written into, whatever is in it", async () => {
  fs.mkdirSync(path.join(skills(), "mine"), { recursive: true });
  await expect(write("mine")).rejects.toMatchObject({ code: "already_exists" });
  expect(fs.readdirSync(path.join(skills(), "mine"))).toEqual([]);
});
test("of two that make the same skill at once one is made", async () => {
  const done = await Promise.allSettled([write("twice"), write("twice")]);
  expect(done.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(fs.readdirSync(path.join(skills(), "twice"))).toEqual(["SKILL.md"]);
});
test("a full disk is told, and every folder that was made for it is gone again, nobody else's", async () => {
  const open = fs.promises.open;
  const full = (): void => {
    vi.spyOn(fs.promises, "open").mockImplementation((at, ...rest) =>
      String(at).includes("SKILL.md") || String(at).endsWith(".tmp")
        ? Promise.reject(Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" }))
        : open(at, ...rest),
    );
  };
  full();
  await expect(write("big")).rejects.toMatchObject({
    code: "io",
    message: expect.stringContaining("no space left"),
  });
  expect(fs.readdirSync(world.workspace)).toEqual([]);
  fs.mkdirSync(path.join(skills(), "other"), { recursive: true });
  await expect(write("big")).rejects.toMatchObject({ code: "io" });
  expect(fs.readdirSync(skills())).toEqual(["other"]);
});
test("a disk that is closed to us, and a file where the folder of skills should be, are told", async () => {
  const closed = Object.assign(new Error("EROFS: read-only file system, mkdir"), { code: "EROFS" });
  const mkdir = vi.spyOn(fs.promises, "mkdir").mockImplementation((at) => {
    if (String(at).startsWith(world.workspace)) return Promise.reject(closed);
    return Promise.resolve(fs.mkdirSync(String(at), { recursive: true }));
  });
  await expect(write("a")).rejects.toMatchObject({
    code: "io",
    message: expect.stringContaining("read-only file system"),
  });
  mkdir.mockRestore();
  world.write("ws/.agent/skills", "text");
  await expect(write("a")).rejects.toMatchObject({ code: "io" });
  expect(fs.readFileSync(skills(), "utf8")).toBe("text");
});
