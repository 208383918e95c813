import fs from "node:fs";
import path from "node:path";

/**
 * The nearest folder from `workspace` up that holds `.git`, a directory or (in a worktree) a file; the workspace
 * itself where there is none (spec 1, Words). `workspace` is absolute and real.
 */
export function findProjectRoot(workspace: string): string {
  for (let folder = workspace; ;) {
    if (fs.existsSync(path.join(folder, ".git"))) return folder;
    const parent = path.dirname(folder);
    if (parent === folder) return workspace;
    folder = parent;
  }
}

/** The folders from `workspace` up to `root`, both included, nearest first. */
export function foldersUpTo(workspace: string, root: string): string[] {
  const folders = [workspace];
  for (let folder = workspace; folder !== root;) {
    const parent = path.dirname(folder);
    if (parent === folder) return [workspace];
    folders.push(parent);
    folder = parent;
  }
  return folders;
}
