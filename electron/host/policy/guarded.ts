import fs from "node:fs";
import path from "node:path";
import { realOrGiven } from "../config/real-or-given.ts";
import { isInside } from "../kit/files.ts";
import { protectedFiles, protectedFolders } from "./locate.ts";

/** What a confined process may not change in one writable root. All paths real. */
export interface Guarded {
  /** Read-only: protected folders and files, and in `.git` what runs something. */
  readonly readOnly: readonly string[];
  /** Missing in a repository, and would run something: stands there empty and read-only. */
  readonly emptyFolders: readonly string[];
  /** Folders on the way to the above: bound onto themselves, so that none can be renamed away. */
  readonly anchors: readonly string[];
}

/** In `.git` only these are read-only, so that commits work (spec 4). */
const gitFolders = ["hooks", "info", "modules"];
const gitFiles = ["config", "config.worktree"];
/** Trees of other people's code, wide and never a place that anything is loaded from. */
const skipped = new Set(["node_modules", ".venv"]);
/** The scan is part of every confined call: wide enough for a repository's own levels, never the whole tree. */
const mostFolders = 500;
const mostDepth = 6;

/** Looks breadth first for protected names below a writable root; at most 500 folders, six levels deep. */
export function findGuarded(root: string): Guarded {
  const readOnly = new Set<string>();
  const emptyFolders = new Set<string>();
  const anchors = new Set<string>();
  const anchor = (folder: string): void => {
    for (let at = folder; at !== root && at.startsWith(root); at = path.dirname(at)) anchors.add(at);
  };
  const queue: { folder: string; depth: number }[] = [{ folder: root, depth: 0 }];
  for (let looked = 0; looked < queue.length && looked < mostFolders; looked++) {
    const { folder, depth } = queue[looked] ?? { folder: root, depth: mostDepth };
    for (const entry of entriesOf(folder)) {
      if (isGuardedName(entry.name)) {
        const file = path.join(folder, entry.name);
        anchor(folder);
        if (entry.name === ".git" && entry.isDirectory()) {
          anchor(file);
          guardGit(file, readOnly, emptyFolders);
        } else readOnly.add(realOrGiven(file));
      } else if (entry.isDirectory() && depth < mostDepth && !skipped.has(entry.name))
        queue.push({ folder: path.join(folder, entry.name), depth: depth + 1 });
    }
  }
  // What a link leads out to is read-only as everything outside is.
  const inside = [...readOnly].filter((file) => isInside(root, file));
  return { readOnly: inside, emptyFolders: [...emptyFolders], anchors: [...anchors] };
}
const names: ReadonlySet<string> = new Set([...protectedFolders, ...protectedFiles]);
const isGuardedName = (name: string): boolean => names.has(name);

function guardGit(git: string, readOnly: Set<string>, emptyFolders: Set<string>): void {
  for (const name of gitFolders) {
    const folder = path.join(git, name);
    if (fs.existsSync(folder)) readOnly.add(realOrGiven(folder));
    else emptyFolders.add(folder);
  }
  for (const name of gitFiles) {
    const file = path.join(git, name);
    if (fs.existsSync(file)) readOnly.add(realOrGiven(file));
  }
}
function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    // Closed to us or gone: a confined process of ours cannot write into it either.
    return [];
  }
}
