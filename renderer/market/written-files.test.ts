import { expect, test } from "vitest";
import { writtenFiles } from "./written-files.ts";

const names = (...paths: string[]): { folder: string; names: string[] } => {
  const { folder, files } = writtenFiles(paths.map((path) => ({ path, bytes: 10 })));
  return { folder, names: files.map(({ name }) => name) };
};

test("files are named below the folder that they share", () => {
  expect(names("/c/skills/pdf/SKILL.md", "/c/skills/pdf/scripts/run.py")).toEqual({
    folder: "/c/skills/pdf/",
    names: ["SKILL.md", "scripts/run.py"],
  });
  expect(names("/c/mcp.json")).toEqual({ folder: "/c/", names: ["mcp.json"] });
  expect(names("/c/skills/a/SKILL.md", "/c/skills/ab/SKILL.md").folder).toBe("/c/skills/");
});

test("Windows paths, and paths that share nothing", () => {
  expect(names("C:\\c\\a.md", "C:\\c\\x\\b.md")).toEqual({ folder: "C:\\c\\", names: ["a.md", "x\\b.md"] });
  expect(names("C:\\a.md", "D:\\b.md")).toEqual({ folder: "", names: ["C:\\a.md", "D:\\b.md"] });
  expect(names()).toEqual({ folder: "", names: [] });
});

test("the sum counts every file", () =>
  expect(
    writtenFiles([
      { path: "/a", bytes: 5 },
      { path: "/b", bytes: 7 },
    ]).bytes,
  ).toBe(12));
