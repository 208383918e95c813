import fs from "node:fs";
import path from "node:path";
import { lookAt, systemCode } from "../kit/files.ts";
import { protectedFiles, protectedFolders } from "./locate.ts";

/** One thing that was moved away: where it lay and where it lies now, both absolute. */
export interface Quarantined {
  readonly from: string;
  readonly to: string;
}

const names: ReadonlySet<string> = new Set([...protectedFolders, ...protectedFiles]);
/** In a repository these two lead git to another configuration, or add one. */
const gitNames = [path.join(".git", "commondir"), path.join(".git", "config.worktree")];

/**
 * The protected folders and files that stand directly in the roots, as absolute paths; links count, whatever they lead
 * to. Names are compared without case. A root that cannot be read holds none: nothing confined can write into it either.
 */
export function protectedNow(roots: readonly string[]): ReadonlySet<string> {
  return new Set(roots.flatMap((root) => protectedIn(root).map((name) => path.join(root, name))));
}

/**
 * Moves what `protectedNow` finds beyond `before` to `<dataFolder>/quarantine/<time-id>/`, links as links (spec 4: what a
 * confined command made there is not to be believed). What cannot be moved so far is renamed beside its place.
 * @throws a system error where neither works
 */
export function quarantineNew(
  before: ReadonlySet<string>,
  roots: readonly string[],
  dataFolder: string,
): Quarantined[] {
  return roots.flatMap((root) => {
    const made = protectedIn(root).filter((name) => !before.has(path.join(root, name)));
    if (made.length === 0) return [];
    const id = new Date().toISOString().replaceAll(/[:.]/g, "-");
    return made.flatMap((name) => {
      const from = path.join(root, name);
      // It may have gone with the folder around it, or with a call that ended at the same time.
      if (lookAt(from) === undefined) return [];
      return [{ from, to: moveAway(from, name, path.join(dataFolder, "quarantine"), id) }];
    });
  });
}

function protectedIn(root: string): string[] {
  const found = entriesOf(root).filter((name) => names.has(name.toLowerCase()));
  const inGit = gitNames.filter((name) => lookAt(path.join(root, name)) !== undefined);
  return [...found, ...inGit];
}
function entriesOf(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    // Closed to us or gone: see `protectedNow`.
    return [];
  }
}

function moveAway(from: string, name: string, quarantine: string, id: string): string {
  try {
    fs.mkdirSync(quarantine, { recursive: true });
    const to = path.join(fs.mkdtempSync(path.join(quarantine, `${id}-`)), name);
    fs.mkdirSync(path.dirname(to), { recursive: true });
    move(from, to);
    return to;
  } catch {
    // No room there, or something that cannot be copied: under another name nothing is loaded from it either.
    const to = path.join(path.dirname(from), `quarantined-${id}-${path.basename(from)}`);
    fs.renameSync(from, to);
    return to;
  }
}
function move(from: string, to: string): void {
  try {
    fs.renameSync(from, to);
  } catch (error) {
    if (systemCode(error) !== "EXDEV") throw error;
    fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true, errorOnExist: true });
    fs.rmSync(from, { recursive: true, force: true });
  }
}
