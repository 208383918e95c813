import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findProjectRoot, foldersUpTo } from "./project-root.ts";

let top: string;
beforeAll(() => {
  top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-root-")));
  fs.mkdirSync(path.join(top, "repo/apps/web"), { recursive: true });
  fs.mkdirSync(path.join(top, "repo/.git"));
  fs.mkdirSync(path.join(top, "worktree"));
  fs.writeFileSync(path.join(top, "worktree/.git"), "gitdir: ../repo/.git/worktrees/w\n");
});
afterAll(() => fs.rmSync(top, { recursive: true }));

test("the nearest folder with .git is the root", () => {
  const web = path.join(top, "repo/apps/web");
  const root = findProjectRoot(web);
  expect(root).toBe(path.join(top, "repo"));
  expect(foldersUpTo(web, root)).toEqual([web, path.join(top, "repo/apps"), path.join(top, "repo")]);
});
test("a file named .git counts: a worktree is a root of its own", () => {
  expect(findProjectRoot(path.join(top, "worktree"))).toBe(path.join(top, "worktree"));
});
test("without .git the workspace is the root", () => {
  expect(foldersUpTo("/", "/")).toEqual(["/"]);
  expect(findProjectRoot("/")).toBe("/");
});
