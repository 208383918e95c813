import fs from "node:fs";
import path from "node:path";
import { toErrorValue } from "../../../shared/errors.ts";
import { isInside, linkTargetOrNone, lookAt, systemCode } from "../kit/files.ts";
import type { Guarded } from "./guarded.ts";
import { copyHeld, inFolder, removeHeld } from "./held-folder.ts";
import type { NotedLook } from "./look-notes.ts";

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
 * What stands in a root under a protected name and did not before: made anew, put in the place of a link, or made where
 * a link had led to nothing. A link that leads elsewhere now, since one on its way was exchanged, is one as well. Below a
 * folder that the look before did not reach nothing is said: a confined process could not write there.
 */
export function newlyProtected(before: NotedLook, after: Guarded): string[] {
  const isUnknown = (file: string): boolean => {
    if (before.unseen.size === 0) return false;
    for (let at = path.dirname(file); at !== before.root && at !== path.dirname(at); at = path.dirname(at))
      if (before.unseen.has(at)) return true;
    return false;
  };
  const files = new Set<string>();
  for (const [file, target] of after.names) if (before.names.get(file) !== target) files.add(file);
  for (const [file, now] of after.links) {
    const old = before.links.get(file);
    if (old === undefined || files.has(file)) continue;
    if (old.real !== now.real) files.add(file);
    else if (!old.exists && now.exists && isBelow(before.root, now.real)) files.add(now.real);
  }
  return [...files].filter((file) => !isUnknown(file));
}
const isBelow = (root: string, file: string): boolean => file !== root && isInside(root, file);

/**
 * Moves `files` to `<dataFolder>/quarantine/<time-id>/<path from the root>`, links as links (spec 4: what a confined
 * command made under a protected name is not to be believed). A link that one of them had replaced (`before`) stands there
 * again. What cannot be moved so far is renamed beside its place: to another disk it is renamed first, then copied. A folder
 * that was exchanged meanwhile is left alone. One that does not move keeps none of the others. Never
 * throws.
 */
export function quarantine(files: readonly string[], before: NotedLook, dataFolder: string): Quarantine {
  const id = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const moved: Quarantined[] = [];
  const failed: { from: string; reason: string }[] = [];
  for (const from of files)
    try {
      // It may have gone with the folder around it, or with a call that ended at the same time.
      if (lookAt(from) === undefined) continue;
      const name = path.relative(before.root, from);
      const target = before.names.get(from);
      const isReplaced = linkTargetOrNone(from) !== target;
      moved.push({ from, to: moveAway(from, isPlain(name) ? name : path.basename(from), dataFolder, id) });
      if (target !== undefined && target !== "" && isReplaced)
        inFolder(path.dirname(from), (held) => fs.symlinkSync(target, path.join(held, path.basename(from))));
    } catch (error) {
      failed.push({ from, reason: toErrorValue(error).message });
    }
  return { moved, failed };
}
/** A path below the root, and not that of a worktree's git folder outside it. */
const isPlain = (relative: string): boolean => !relative.startsWith("..") && !path.isAbsolute(relative);

/** Another confined process may still write there: every step goes by a way that no exchange of folders changes. */
function moveAway(from: string, name: string, dataFolder: string, id: string): string {
  return inFolder(path.dirname(from), (held) => {
    const source = path.join(held, path.basename(from));
    let place: Place | undefined;
    try {
      place = placeFor(name, dataFolder, id);
      fs.renameSync(source, place.to);
      return place.to;
    } catch (error) {
      if (systemCode(error) !== "EXDEV") {
        discard(place);
        // No room there: under another name nothing is loaded from it either.
        place = undefined;
      }
    }
    const aside = `quarantined-${id}-${path.basename(from)}`;
    fs.renameSync(source, path.join(held, aside));
    return (place && copyAway(path.join(held, aside), place)) ?? path.join(path.dirname(from), aside);
  });
}
/** Where one thing goes, in a folder of its own. */
interface Place {
  readonly folder: string;
  readonly to: string;
}
function placeFor(name: string, dataFolder: string, id: string): Place {
  const parent = path.join(dataFolder, "quarantine");
  fs.mkdirSync(parent, { recursive: true });
  const folder = fs.mkdtempSync(path.join(parent, `${id}-`));
  const to = path.join(folder, name);
  fs.mkdirSync(path.dirname(to), { recursive: true });
  return { folder, to };
}
function discard(place: Place | undefined): void {
  if (place) fs.rmSync(place.folder, { recursive: true, force: true });
}
/** To another disk; undefined where it stays where it is, and then nothing of it lies there. */
function copyAway(aside: string, place: Place): string | undefined {
  try {
    copyHeld(aside, place.to);
  } catch {
    // The disk is full, or something in it cannot be copied: it is harmless where it lies.
    discard(place);
    return undefined;
  }
  try {
    removeHeld(aside);
  } catch {
    // The copy is whole; what is left lies under a name that nothing is loaded from.
  }
  return place.to;
}
