import path from "node:path";
import { realOrGiven } from "../config/real-or-given.ts";
import { isInside, lookOrNone } from "../kit/files.ts";
import { gitFacts, isGitName, linkTarget } from "./git-folder.ts";
import { type Folder, type Found, isSame, join, lookInto, openAgain, Slice } from "./tree-look.ts";

/** What a confined process may not change in one writable root. All paths real. */
export interface Guarded {
  readonly root: string;
  /** Read-only: protected folders and files, in `.git` what runs something, and what could not be looked into. */
  readonly readOnly: readonly string[];
  /** Missing in a repository, and would run something: stands there empty and read-only. */
  readonly emptyFolders: readonly string[];
  /** Folders on the way to the above: bound onto themselves, so that none can be renamed away. */
  readonly anchors: readonly string[];
  /** Git folders outside the root that belong to it (a worktree's): writable, but for what `readOnly` names. */
  readonly gitFolders: readonly string[];
  /** Every protected name as it stands, and where it leads if it is a link (`""` otherwise). */
  readonly names: ReadonlyMap<string, string>;
  /** For the links among them: what they come to in the end. */
  readonly links: ReadonlyMap<string, LinkEnd>;
  /** Folders that cannot be listed. */
  readonly closed: ReadonlySet<string>;
  /** Folders that hold what was not looked into, closed or too far down in a wide tree; few, in their stead others above. */
  readonly unseen: ReadonlySet<string>;
}
/** A real path; nothing stands there where `exists` is false. */
export interface LinkEnd {
  readonly real: string;
  readonly exists: boolean;
}

/** Folders that one look goes through (decision 10). */
const mostFolders = 100_000;
/** Each costs more than the one before: beyond, repositories further down are read-only as a whole. */
const mostMounts = 300;
/** The same for what was not looked into. */
const mostUnseen = 100;
/** A folder whose last change is younger is read again: file systems keep times of up to 2 s. */
const settledMs = 2_100;

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
  /**
   * One look at a root, a real path. Yields while it goes through a wide tree.
   * @param roots all roots of the same confinement, this one among them
   * @param opens folders that are closed now and were not then are ours to open again: what a look saw before a run
   */
  async scan(
    root: string,
    roots: readonly string[] = [root],
    opens?: Pick<Guarded, "closed">,
  ): Promise<Guarded> {
    const slice = new Slice();
    const known = this.#known.get(root) ?? [];
    let folders = known;
    let far: readonly string[] = [];
    let same = known.length > 0 && known.length < this.#mostFolders;
    for (let at = 0; same && at < known.length; at++) {
      if (slice.isOver()) await slice.pause();
      const folder = known[at];
      same =
        folder !== undefined &&
        (!folder.closed || opens?.closed.has(folder.path) !== false) &&
        isSame(folder, lookOrNone(folder.path));
    }
    if (!same) {
      const before = new Map(known.map((folder) => [folder.path, folder]));
      const found: Folder[] = [];
      const queue: string[] = [root];
      let at = 0;
      for (; at < queue.length && at < this.#mostFolders; at++) {
        if (slice.isOver()) await slice.pause();
        const place = queue[at] ?? root;
        const old = before.get(place);
        let folder = lookInto(place, old, this.#settledMs);
        if (folder?.closed === true && opens?.closed.has(place) === false && openAgain(place, old))
          folder = lookInto(place, undefined, this.#settledMs);
        if (folder === undefined) continue;
        found.push(folder);
        for (const one of folder.folders) queue.push(one);
      }
      far = queue.slice(at);
      folders = found;
      this.#known.set(root, found);
    }
    const closed = folders.filter((folder) => folder.closed).map((folder) => folder.path);
    const guard = new Guard(root, roots);
    for (const folder of folders) for (const found of folder.found) guard.add(folder.path, found);
    for (const file of this.#userPaths) guard.addPath(file);
    return guard.result(new Set(closed), fold(root, [...closed, ...far]));
  }
}
/** The same folders, or where they are too many those above them: everything that they hold lies in these. */
function fold(root: string, folders: readonly string[]): ReadonlySet<string> {
  let few = new Set(folders);
  const depth = (folder: string): number =>
    folder === root ? 0 : folder.slice(root.length).split(path.sep).length;
  while (few.size > mostUnseen) {
    const deepest = [...few].reduce((most, folder) => Math.max(most, depth(folder)), 0);
    few = new Set([...few].map((folder) => (depth(folder) === deepest ? path.dirname(folder) : folder)));
  }
  return few;
}

/** A root with nothing in it that would have to be kept. */
export const nothingGuarded = (root: string): Guarded => new Guard(root, [root]).result(new Set(), new Set());

/** Collects what is found in one root. */
class Guard {
  readonly #root: string;
  readonly #roots: ReadonlySet<string>;
  readonly #readOnly = new Set<string>();
  readonly #emptyFolders = new Set<string>();
  readonly #anchors = new Set<string>();
  readonly #gitFolders = new Set<string>();
  readonly #names = new Map<string, string>();
  readonly #links = new Map<string, LinkEnd>();

  constructor(root: string, roots: readonly string[]) {
    this.#root = root;
    this.#roots = new Set([root, ...roots]);
    for (const other of this.#roots)
      if (other !== root && isInside(root, other)) this.#anchor(path.dirname(other));
  }
  add(folder: string, { name, kind }: Found): void {
    const file = join(folder, name);
    this.#anchor(folder);
    // A link to a repository is one too; what it leads to outside the root is read-only anyway.
    const place = this.#name(file, kind === "link" ? linkTarget(file) : "");
    if (place === undefined) return;
    if (!isGitName(name)) return void this.#readOnly.add(place);
    const facts = gitFacts(place, folder, folder === this.#root);
    if (facts.isRepository && this.#anchors.size + this.#readOnly.size > mostMounts)
      return void this.#readOnly.add(place);
    if (facts.isRepository) this.#anchor(place);
    else this.#readOnly.add(place);
    for (const one of facts.outside) this.#gitFolders.add(one);
    for (const one of facts.readOnly) this.#readOnly.add(one);
    for (const one of facts.emptyFolders) this.#emptyFolders.add(one);
    for (const one of facts.anchors) this.#anchors.add(one);
    for (const [one, target] of facts.names) {
      const end = this.#name(one, target);
      if (target !== "" && end !== undefined) this.#readOnly.add(end);
    }
    for (const one of facts.steering) this.addPath(one);
  }
  /** Protected by its path: a link on the way counts as what it leads to. */
  addPath(file: string): void {
    if (!isInside(this.#root, file) || file === this.#root) return;
    const stats = lookOrNone(file);
    if (stats === undefined) return;
    this.#anchor(path.dirname(file));
    const place = this.#name(file, stats.isSymbolicLink() ? linkTarget(file) : "");
    if (place !== undefined) this.#readOnly.add(realOrGiven(place));
  }
  result(closed: ReadonlySet<string>, unseen: ReadonlySet<string>): Guarded {
    for (const folder of unseen) {
      this.#anchor(path.dirname(folder));
      this.#readOnly.add(folder);
    }
    // What a link leads out to is read-only as everything outside is; a worktree's own git folder is not.
    const writable = [...this.#roots, ...this.#gitFolders];
    const within = (file: string): boolean => writable.some((folder) => isInside(folder, file));
    return {
      root: this.#root,
      readOnly: [...this.#readOnly].filter(within),
      emptyFolders: [...this.#emptyFolders].filter(within),
      anchors: [...this.#anchors].filter(within),
      gitFolders: [...this.#gitFolders],
      names: this.#names,
      links: this.#links,
      closed,
      unseen,
    };
  }
  /** Notes a name; gives what stands there in the end, with the way to it anchored. Undefined for a link to nothing. */
  #name(file: string, target: string): string | undefined {
    this.#names.set(file, target);
    if (target === "") return file;
    const real = realOrGiven(file);
    const exists = lookOrNone(real)?.isSymbolicLink() === false;
    this.#links.set(file, { real, exists });
    if (!exists) return undefined;
    this.#anchor(path.dirname(real));
    return real;
  }
  #anchor(folder: string): void {
    const roots = [...this.#roots];
    for (
      let at = folder;
      !this.#roots.has(at) && roots.some((root) => isInside(root, at));
      at = path.dirname(at)
    )
      this.#anchors.add(at);
  }
}
