import fs from "node:fs";
import path from "node:path";
import type { Dispose } from "./disposable.ts";
import { systemCode } from "./files.ts";
import { sweepFolder } from "./watch-sweep.ts";

/** A folder of which only some entries are of interest. */
export interface FolderNames {
  readonly folder: string;
  readonly names: ReadonlySet<string>;
}
/** A folder, absolute: every entry of it, or some. One that stands in a list twice is watched for both. */
export type WatchedFolder = string | FolderNames;

export interface FolderWatch {
  /** Replaces the list of folders. What stays in it is not interrupted. */
  update(folders: readonly WatchedFolder[]): void;
  /** After it nothing is called any more. */
  readonly stop: Dispose;
}
export interface WatchOptions {
  /** Called once, where the system has no watches left: from then on folders are looked at every `sweepMs`. */
  readonly onFallback?: (reason: string) => void;
  /** ms; 5,000 where absent. */
  readonly sweepMs?: number;
  /** Node's own where absent. */
  readonly watch?: typeof fs.watch;
}

const debounceMs = 100;
/** How long watches are set up without letting others have the thread, ms. */
const slice = 8;

/**
 * Tells of folders in which an entry was added, removed, renamed or written, 100 ms after the first such event.
 * Folders alone are watched, never recursively. One that is missing is told of when it appears; until then its
 * nearest existing ancestor is watched. Holds no process open.
 */
export function watchFolders(
  folders: readonly WatchedFolder[],
  onChange: (folders: ReadonlySet<string>) => void,
  options: WatchOptions = {},
): FolderWatch {
  const watching = new FolderWatching(onChange, options);
  watching.update(folders);
  return { update: (next) => watching.update(next), stop: () => watching.stop() };
}

/** One watch of the system, and the folders for whose sake it is held. */
interface Watched {
  readonly watcher: fs.FSWatcher;
  readonly identity: string;
  readonly wanted: Set<string>;
}

class FolderWatching {
  readonly #onChange: (folders: ReadonlySet<string>) => void;
  readonly #options: WatchOptions;
  /** Wanted folder → folder that is watched for it; itself, an ancestor, or undefined where it is swept. */
  readonly #wanted = new Map<string, string | undefined>();
  /** Wanted folder → names of interest in it, without case; undefined for all. */
  #names: ReadonlyMap<string, ReadonlySet<string> | undefined> = new Map();
  readonly #watched = new Map<string, Watched>();
  readonly #changed = new Set<string>();
  readonly #swept = new Map<string, string>();
  #waiting: string[] = [];
  #debounce: NodeJS.Timeout | undefined;
  #sweep: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(onChange: (folders: ReadonlySet<string>) => void, options: WatchOptions) {
    this.#onChange = onChange;
    this.#options = options;
  }
  update(folders: readonly WatchedFolder[]): void {
    if (this.#stopped) return;
    this.#names = namesOfInterest(folders);
    for (const folder of this.#wanted.keys())
      // A link on the way may lead elsewhere by now.
      if (this.#names.has(folder)) this.#renew(folder);
      else this.#forget(folder);
    this.#waiting = [...this.#names.keys()].filter((folder) => !this.#wanted.has(folder));
    this.#work();
  }
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#debounce);
    clearTimeout(this.#sweep);
    this.#waiting = [];
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
    this.#wanted.clear();
  }
  /** Sets up watches, in slices. */
  #work(): void {
    const until = performance.now() + slice;
    while (this.#waiting.length > 0) {
      if (performance.now() > until) {
        setImmediate(() => this.#work()).unref();
        return;
      }
      const folder = this.#waiting.shift();
      if (folder !== undefined) this.#attach(folder);
    }
  }
  #attach(folder: string): void {
    for (;;) {
      const { at, identity } = nearest(folder);
      if (!this.#watch(at, identity, folder)) {
        this.#wanted.set(folder, undefined);
        return;
      }
      this.#wanted.set(folder, at);
      // It may have appeared, or its ancestor gone, before the watch was set.
      const now = nearest(folder);
      if (now.at === at && now.identity === identity) return;
      this.#detach(folder);
    }
  }
  /** False where the system has no watches left. */
  #watch(at: string, identity: string, wanted: string): boolean {
    const known = this.#watched.get(at);
    if (known?.identity === identity) {
      known.wanted.add(wanted);
      return true;
    }
    known?.watcher.close();
    const watch = this.#options.watch ?? fs.watch;
    try {
      const watcher = watch(at, { persistent: false }, (_, name) => this.#hear(at, name));
      watcher.on("error", () => this.#hear(at, null));
      this.#watched.set(at, { watcher, identity, wanted: new Set(known?.wanted).add(wanted) });
      return true;
    } catch (error) {
      this.#watched.delete(at);
      for (const other of known?.wanted ?? []) this.#fallBack(other, error);
      this.#fallBack(wanted, error);
      return false;
    }
  }
  #hear(at: string, name: string | null): void {
    for (const folder of this.#watched.get(at)?.wanted ?? []) {
      // Of an ancestor only the way to the wanted folder counts.
      const way = path.relative(at, folder).split(path.sep)[0];
      const counts = way === "" ? this.#isOfInterest(folder, name) : name === way;
      if (counts || name === null || name === path.basename(at)) this.#note(folder);
    }
  }
  #isOfInterest(folder: string, name: string | null): boolean {
    const names = this.#names.get(folder);
    return names === undefined || name === null || names.has(name.toLowerCase());
  }
  #note(folder: string): void {
    this.#changed.add(folder);
    this.#debounce ??= setTimeout(() => this.#tell(), debounceMs).unref();
  }
  #tell(): void {
    this.#debounce = undefined;
    const changed = new Set<string>();
    for (const folder of this.#changed) {
      if (!this.#wanted.has(folder)) continue;
      const before = this.#wanted.get(folder);
      this.#renew(folder);
      // An ancestor's change means nothing until the folder itself is there, or was.
      if (before === undefined || before === folder || this.#wanted.get(folder) === folder)
        changed.add(folder);
    }
    this.#changed.clear();
    if (changed.size > 0) this.#onChange(changed);
  }
  /** Watches what stands at the path now: it may be gone, new, or another folder of the same name. */
  #renew(folder: string): void {
    const at = this.#wanted.get(folder);
    if (at === undefined) return;
    const now = nearest(folder);
    if (now.at === at && this.#watched.get(at)?.identity === now.identity) return;
    this.#detach(folder);
    this.#attach(folder);
  }
  #detach(folder: string): void {
    const at = this.#wanted.get(folder);
    const watched = at === undefined ? undefined : this.#watched.get(at);
    if (at === undefined || !watched) return;
    watched.wanted.delete(folder);
    if (watched.wanted.size > 0) return;
    watched.watcher.close();
    this.#watched.delete(at);
  }
  #forget(folder: string): void {
    this.#detach(folder);
    this.#wanted.delete(folder);
    this.#swept.delete(folder);
    this.#changed.delete(folder);
  }
  #fallBack(folder: string, cause: unknown): void {
    this.#wanted.set(folder, undefined);
    if (this.#sweep) return;
    const code = systemCode(cause) ?? "unknown error";
    this.#options.onFallback?.(
      `the system gives no more watches (${code}): some folders are looked at every few seconds instead`,
    );
    this.#sweepLater();
  }
  #sweepLater(): void {
    this.#sweep = setTimeout(() => void this.#sweepOnce(), this.#options.sweepMs ?? 5_000).unref();
  }
  async #sweepOnce(): Promise<void> {
    for (const [folder, at] of this.#wanted) {
      if (at !== undefined) continue;
      const before = this.#swept.get(folder);
      const now = await sweepFolder(folder, (name) => this.#isOfInterest(folder, name));
      if (this.#stopped) return;
      this.#swept.set(folder, now);
      if (before !== undefined && before !== now) this.#note(folder);
    }
    this.#sweepLater();
  }
}

function namesOfInterest(folders: readonly WatchedFolder[]): Map<string, ReadonlySet<string> | undefined> {
  const all = new Map<string, Set<string> | undefined>();
  for (const entry of folders) {
    const folder = path.resolve(typeof entry === "string" ? entry : entry.folder);
    const before = all.get(folder);
    if (typeof entry === "string" || (all.has(folder) && before === undefined)) all.set(folder, undefined);
    else all.set(folder, new Set([...(before ?? []), ...[...entry.names].map((name) => name.toLowerCase())]));
  }
  return all;
}

/** The folder itself, or the nearest one above that exists. */
function nearest(folder: string): { readonly at: string; readonly identity: string } {
  for (let at = folder; ; at = path.dirname(at)) {
    const stat = statOf(at);
    if (stat?.isDirectory()) return { at, identity: `${stat.dev}:${stat.ino}` };
    if (at === path.dirname(at)) return { at, identity: "" };
  }
}
function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file);
  } catch {
    // What cannot be seen is watched from above, whatever keeps us from it.
    return undefined;
  }
}
