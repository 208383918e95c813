import fs from "node:fs";
import path from "node:path";
import { toErrorValue } from "../../../shared/errors.ts";
import { lookAt, systemCode } from "../kit/files.ts";
import type { Guarded } from "./guarded.ts";

/** One thing that was moved away: where it lay and where it lies now, both absolute. */
export interface Quarantined {
  readonly from: string;
  readonly to: string;
}
/** What became of files that were to be moved away. */
export interface Quarantine {
  readonly moved: readonly Quarantined[];
  /** Those that stay where they are, or whose link could not be put back, each with the reason. */
  readonly failed: readonly { readonly from: string; readonly reason: string }[];
}

/**
 * What stands in a root under a protected name and did not before: made anew, or put in the place of a link. Below a
 * folder that the look before did not reach nothing is said, since it may be old.
 */
export function newlyProtected(before: Guarded, after: Guarded): string[] {
  const isUnknown = (file: string): boolean => {
    if (before.unseen.size === 0) return false;
    for (let at = path.dirname(file); at !== before.root && at !== path.dirname(at); at = path.dirname(at))
      if (before.unseen.has(at)) return true;
    return false;
  };
  return [...after.names]
    .filter(([file, target]) => before.names.get(file) !== target && !isUnknown(file))
    .map(([file]) => file);
}

/**
 * Moves `files` to `<dataFolder>/quarantine/<time-id>/<path from the root>`, links as links (spec 4: what a confined
 * command made under a protected name is not to be believed). A link that one of them had replaced (`before`) stands there
 * again. What cannot be moved so far is renamed beside its place. One that does not move keeps none of the others. Never
 * throws.
 */
export function quarantine(files: readonly string[], before: Guarded, dataFolder: string): Quarantine {
  const id = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const moved: Quarantined[] = [];
  const failed: { from: string; reason: string }[] = [];
  for (const from of files)
    try {
      // It may have gone with the folder around it, or with a call that ended at the same time.
      if (lookAt(from) === undefined) continue;
      const name = path.relative(before.root, from);
      moved.push({ from, to: moveAway(from, isPlain(name) ? name : path.basename(from), dataFolder, id) });
      const target = before.names.get(from);
      if (target !== undefined && target !== "") fs.symlinkSync(target, from);
    } catch (error) {
      failed.push({ from, reason: toErrorValue(error).message });
    }
  return { moved, failed };
}
/** A path below the root, and not that of a worktree's git folder outside it. */
const isPlain = (relative: string): boolean => !relative.startsWith("..") && !path.isAbsolute(relative);

function moveAway(from: string, name: string, dataFolder: string, id: string): string {
  try {
    const folder = path.join(dataFolder, "quarantine");
    fs.mkdirSync(folder, { recursive: true });
    const to = path.join(fs.mkdtempSync(path.join(folder, `${id}-`)), name);
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
