import type fs from "node:fs";
import path from "node:path";
import { realOrGiven } from "../config/real-or-given.ts";
import { entriesOrNone, isInside, lookOrNone } from "../kit/files.ts";
import { gitFacts, isGitName, linkTarget } from "./git-folder.ts";
import { protectedFiles, protectedFolders } from "./locate.ts";

/** What a confined process may not change in one writable root. All paths real. */
export interface Guarded {
  readonly root: string;
  /** Read-only: protected folders and files, and in `.git` what runs something. */
  readonly readOnly: readonly string[];
  /** Missing in a repository, and would run something: stands there empty and read-only. */
  readonly emptyFolders: readonly string[];
  /** Folders on the way to the above: bound onto themselves, so that none can be renamed away. */
  readonly anchors: readonly string[];
  /** Git folders outside the root that belong to it (a worktree's): writable, but for what `readOnly` names. */
  readonly gitFolders: readonly string[];
  /** Every protected name as it stands, and where it leads if it is a link (`""` otherwise). */
  readonly names: ReadonlyMap<string, string>;
  /** Folders that were seen and not looked into, because the tree is too wide. */
  readonly unseen: ReadonlySet<string>;
}

/** Trees of other people's code, wide and never a place that anything is loaded from. */
const skipped = new Set(["node_modules", ".venv"]);
/** Folders that one look goes through (decision 10). */
const mostFolders = 10_000;
/** Each costs more than the one before: beyond, repositories further down are read-only as a whole. */
const mostMounts = 300;
/** The host's thread is held no longer than this at a time, ms. */
const sliceMs = 8;
/** A folder whose last change is younger is read again: file systems keep times of up to 2 s. */
const settledMs = 2_100;

/** What one folder held when it was read. It holds the same as long as its times, inode and device are the same. */
interface Folder {
  readonly path: string;
  readonly changed: number;
  readonly modified: number;
  readonly inode: number;
  readonly device: number;
  /** Folders in it to look into, absolute. */
  readonly folders: readonly string[];
  readonly found: readonly Found[];
}
interface Found {
  readonly name: string;
  readonly kind: "folder" | "link" | "other";
}

/**
 * Looks for protected names below writable roots, nearest first. Keeps what folders held: only what changed is read
 * again, so that a look costs one `lstat` a folder. A folder's change time cannot be set by a program, so nothing can
 * be made in it without being seen.
 */
export class ProtectedTrees {
  readonly #userPaths: readonly string[];
  readonly #mostFolders: number;
  readonly #settledMs: number;
  readonly #known = new Map<string, readonly Folder[]>();

  /**
   * @param userPaths files and folders that are protected by their path, wherever they lie; they need not exist
   * @param settled ms for which nothing has to have changed in a folder for its times to be believed
   */
  constructor(userPaths: readonly string[] = [], limit = mostFolders, settled = settledMs) {
    this.#userPaths = userPaths;
    this.#mostFolders = limit;
    this.#settledMs = settled;
  }
  /** One look at a root, a real path. Yields while it goes through a wide tree. */
  async scan(root: string): Promise<Guarded> {
    const slice = new Slice();
    const known = this.#known.get(root) ?? [];
    let folders = known;
    let unseen: readonly string[] = [];
    let same = known.length > 0 && known.length < this.#mostFolders;
    for (let at = 0; same && at < known.length; at++) {
      if (slice.isOver()) await slice.pause();
      const folder = known[at];
      same = folder !== undefined && isSame(folder, lookOrNone(folder.path));
    }
    if (!same) {
      const before = new Map(known.map((folder) => [folder.path, folder]));
      const found: Folder[] = [];
      const queue: string[] = [root];
      let at = 0;
      for (; at < queue.length && at < this.#mostFolders; at++) {
        if (slice.isOver()) await slice.pause();
        const place = queue[at] ?? root;
        const folder = lookInto(place, before.get(place), this.#settledMs);
        if (folder === undefined) continue;
        found.push(folder);
        for (const one of folder.folders) queue.push(one);
      }
      unseen = queue.slice(at);
      folders = found;
      this.#known.set(root, found);
    }
    const guard = new Guard(root);
    for (const folder of folders) for (const found of folder.found) guard.add(folder.path, found);
    for (const file of this.#userPaths) guard.addPath(file);
    return guard.result(new Set(unseen));
  }
}

/** Gives the thread back every few milliseconds. */
class Slice {
  #ends = performance.now() + sliceMs;

  isOver(): boolean {
    return performance.now() > this.#ends;
  }
  async pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#ends = performance.now() + sliceMs;
  }
}
const join = (folder: string, name: string): string =>
  folder.endsWith(path.sep) ? folder + name : folder + path.sep + name;

const isSame = (known: Folder, stats: fs.Stats | undefined): boolean =>
  stats !== undefined &&
  known.changed === stats.ctimeMs &&
  known.modified === stats.mtimeMs &&
  known.inode === stats.ino &&
  known.device === stats.dev &&
  stats.isDirectory();

/** Undefined for what is gone, no folder, or closed to us: a confined process of ours cannot write into it either. */
function lookInto(place: string, known: Folder | undefined, settledAfter: number): Folder | undefined {
  const stats = lookOrNone(place);
  if (stats === undefined || !stats.isDirectory()) return undefined;
  if (known !== undefined && isSame(known, stats)) return known;
  const { ctimeMs: changed, mtimeMs: modified, ino: inode, dev: device } = stats;
  const folders: string[] = [];
  const found: Found[] = [];
  for (const entry of entriesOrNone(place)) {
    const { name } = entry;
    if (isProtectedName(name))
      found.push({ name, kind: entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "other" });
    else if (entry.isDirectory() && !skipped.has(name)) folders.push(join(place, name));
  }
  const settled = Date.now() - Math.max(changed, modified) > settledAfter;
  return { path: place, changed: settled ? changed : Number.NaN, modified, inode, device, folders, found };
}
const protectedNames: ReadonlySet<string> = new Set([...protectedFolders, ...protectedFiles]);
/** Some disks know a name in any case. */
const isProtectedName = (name: string): boolean => protectedNames.has(name.toLowerCase());

/** A root with nothing in it that would have to be kept. */
export const nothingGuarded = (root: string): Guarded => new Guard(root).result(new Set());

/** Collects what is found in one root. */
class Guard {
  readonly #root: string;
  readonly #readOnly = new Set<string>();
  readonly #emptyFolders = new Set<string>();
  readonly #anchors = new Set<string>();
  readonly #gitFolders = new Set<string>();
  readonly #names = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
  }
  add(folder: string, { name, kind }: Found): void {
    const file = join(folder, name);
    this.#names.set(file, kind === "link" ? linkTarget(file) : "");
    this.#anchor(folder);
    if (!isGitName(name)) return void this.#readOnly.add(kind === "link" ? realOrGiven(file) : file);
    // A link to a repository is one too; what it leads to outside the root is read-only anyway.
    const git = kind === "link" ? realOrGiven(file) : file;
    const facts = gitFacts(git, folder, folder === this.#root);
    if (facts.isRepository && this.#anchors.size + this.#readOnly.size > mostMounts)
      return void this.#readOnly.add(git);
    if (facts.isRepository) this.#anchor(git);
    else this.#readOnly.add(git);
    for (const one of facts.readOnly) this.#readOnly.add(one);
    for (const one of facts.emptyFolders) this.#emptyFolders.add(one);
    for (const one of facts.outside) this.#gitFolders.add(one);
    for (const one of facts.anchors) this.#anchors.add(one);
    for (const [one, target] of facts.names) this.#names.set(one, target);
  }
  /** Protected by its path: a link on the way counts as what it leads to. */
  addPath(file: string): void {
    if (!isInside(this.#root, file) || file === this.#root) return;
    const stats = lookOrNone(file);
    if (stats === undefined) return;
    this.#names.set(file, stats.isSymbolicLink() ? linkTarget(file) : "");
    this.#anchor(path.dirname(file));
    this.#readOnly.add(realOrGiven(file));
  }
  result(unseen: ReadonlySet<string>): Guarded {
    // What a link leads out to is read-only as everything outside is; a worktree's own git folder is not.
    const writable = [this.#root, ...this.#gitFolders];
    const within = (file: string): boolean => writable.some((folder) => isInside(folder, file));
    return {
      root: this.#root,
      readOnly: [...this.#readOnly].filter(within),
      emptyFolders: [...this.#emptyFolders].filter(within),
      anchors: [...this.#anchors].filter(within),
      gitFolders: [...this.#gitFolders],
      names: this.#names,
      unseen,
    };
  }
  #anchor(folder: string): void {
    for (let at = folder; at !== this.#root && isInside(this.#root, at); at = path.dirname(at))
      this.#anchors.add(at);
  }
}
