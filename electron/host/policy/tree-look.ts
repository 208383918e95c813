import fs from "node:fs";
import path from "node:path";
import { lookOrNone, systemCode } from "../kit/files.ts";
import { inFolder } from "./held-folder.ts";
import { protectedFiles, protectedFolders } from "./locate.ts";

/** Trees of other people's code, wide and never a place that anything is loaded from. */
const skipped = new Set(["node_modules", ".venv"]);
/** The host's thread is held no longer than this at a time, ms. */
const sliceMs = 8;

/** What one folder held when it was read. It holds the same as long as its times, inode and device are the same. */
export interface Folder {
  readonly path: string;
  readonly changed: number;
  readonly modified: number;
  readonly inode: number;
  readonly device: number;
  readonly mode: number;
  /** It cannot be listed or walked through: what it holds is not known. */
  readonly closed: boolean;
  /** Folders in it to look into, absolute. */
  readonly folders: readonly string[];
  readonly found: readonly Found[];
}
/** One protected name in a folder. */
export interface Found {
  readonly name: string;
  readonly kind: "folder" | "link" | "other";
}

/** Gives the thread back every few milliseconds. */
export class Slice {
  #ends = performance.now() + sliceMs;

  isOver(): boolean {
    return performance.now() > this.#ends;
  }
  async pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#ends = performance.now() + sliceMs;
  }
}
/** As `path.join`, for a name that is one; that takes longer than the look itself. */
export const join = (folder: string, name: string): string =>
  folder.endsWith(path.sep) ? folder + name : folder + path.sep + name;

export const isSame = (known: Folder, stats: fs.Stats | undefined): boolean =>
  stats !== undefined &&
  known.changed === stats.ctimeMs &&
  known.modified === stats.mtimeMs &&
  known.inode === stats.ino &&
  known.device === stats.dev &&
  stats.isDirectory();

/** Undefined for what is gone or no folder. `settled` as `ProtectedTrees` has it, ms. */
export function lookInto(place: string, known: Folder | undefined, settled: number): Folder | undefined {
  const stats = lookOrNone(place);
  if (stats === undefined || !stats.isDirectory()) return undefined;
  if (known !== undefined && isSame(known, stats)) return known;
  const { ctimeMs: changed, mtimeMs: modified, ino: inode, dev: device, mode } = stats;
  const folders: string[] = [];
  const found: Found[] = [];
  const entries = canBeWalked(stats) ? entriesIn(place) : "closed";
  if (entries === "gone") return undefined;
  for (const entry of entries === "closed" ? [] : entries) {
    const { name } = entry;
    if (isProtectedName(name))
      found.push({ name, kind: entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "other" });
    else if (entry.isDirectory() && !skipped.has(name)) folders.push(join(place, name));
  }
  const isSettled = Date.now() - Math.max(changed, modified) > settled;
  return {
    path: place,
    changed: isSettled ? changed : Number.NaN,
    modified,
    inode,
    device,
    mode,
    closed: entries === "closed",
    folders,
    found,
  };
}
/**
 * Opens a folder of ours that was closed to us: with the mode that it had, where that is known. False where it is not ours,
 * or another folder by now.
 */
export function openAgain(place: string, before: Folder | undefined): boolean {
  const stats = lookOrNone(place);
  if (stats === undefined || stats.uid !== process.geteuid?.()) return false;
  const mode = before === undefined || before.closed ? stats.mode | 0o700 : before.mode;
  try {
    inFolder(place, (held) => fs.chmodSync(held, mode & 0o7777));
    return true;
  } catch {
    // It counts as closed then, which is told.
    return false;
  }
}
/** Root's own rights are not in the mode. */
const canBeWalked = ({ uid, mode }: fs.Stats): boolean =>
  process.platform === "win32" || process.geteuid?.() !== uid || uid === 0 || (mode & 0o500) === 0o500;
function entriesIn(folder: string): fs.Dirent[] | "gone" | "closed" {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    // Whatever else the reason is: what it holds is not known.
    return code === "ENOENT" || code === "ENOTDIR" ? "gone" : "closed";
  }
}
const protectedNames: ReadonlySet<string> = new Set([...protectedFolders, ...protectedFiles]);
/** Some disks know a name in any case. */
const isProtectedName = (name: string): boolean => protectedNames.has(name.toLowerCase());
