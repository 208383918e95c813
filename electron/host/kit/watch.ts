import fs from "node:fs";
import path from "node:path";
import type { Dispose } from "./disposable.ts";
import { systemCode } from "./files.ts";
import { hasChangedSince, sweepFolder } from "./watch-sweep.ts";
import { endsAsBefore, isSameWay, wayTo, type Way, type Waypoint } from "./watch-way.ts";

/** A folder of which only some entries are of interest. */
export interface FolderNames {
  readonly folder: string;
  readonly names: ReadonlySet<string>;
}
/** A folder, absolute: every entry of it, or some. One that stands in a list twice is watched for both. */
export type WatchedFolder = string | FolderNames;

export interface FolderWatch {
  /**
   * Replaces the list of folders. What stays in it is not interrupted.
   * @param since ms since the epoch, when who knows the new folders began to look at them: what changed in one from then
   * on until its watch stands is told as any other change. Absent, nobody has looked yet.
   */
  update(folders: readonly WatchedFolder[], since?: number): void;
  /** Resolves when every folder of the list is watched: nothing that happens from then on is missed. */
  settled(): Promise<void>;
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
 * Tells of folders in which an entry was added, removed, renamed or written, 100 ms after the first such event, and of
 * folders that are others now: made, removed, moved away with the one above, behind a link that leads elsewhere.
 * Folders alone are watched, never recursively. Holds no process open once all is set up.
 */
export function watchFolders(
  folders: readonly WatchedFolder[],
  onChange: (folders: ReadonlySet<string>) => void,
  options: WatchOptions = {},
): FolderWatch {
  const watching = new FolderWatching(onChange, options);
  watching.update(folders);
  return {
    update: (next, since) => watching.update(next, since),
    settled: () => watching.settled(),
    stop: () => watching.stop(),
  };
}

/** One watch of the system, and the folders for whose sake it is held. */
interface Watched {
  readonly watcher: fs.FSWatcher;
  readonly identity: string;
  /** The folder went or was moved; another one may bear its name, and even its number, by now. */
  ended: boolean;
  /** Wanted folders that are this very folder. */
  readonly own: Set<string>;
  /** Name of an entry, without case → wanted folders whose way leads over it. */
  readonly ways: Map<string, Set<string>>;
}

class FolderWatching {
  readonly #onChange: (folders: ReadonlySet<string>) => void;
  readonly #options: WatchOptions;
  /** Wanted folder → the way on which it is watched; undefined where it is swept. */
  readonly #wanted = new Map<string, Way | undefined>();
  /** Wanted folder → names of interest in it, by their name without case; undefined for all. */
  #names: ReadonlyMap<string, ReadonlyMap<string, string> | undefined> = new Map();
  /** By real path. */
  readonly #watched = new Map<string, Watched>();
  /** Wanted folders of which something was heard; true where it was an entry of their own. */
  readonly #heard = new Map<string, boolean>();
  readonly #swept = new Map<string, string>();
  #waiting: string[] = [];
  /** When the folders that wait were looked at first, ms since the epoch. */
  #since = Number.POSITIVE_INFINITY;
  #settled: (() => void)[] = [];
  #debounce: NodeJS.Timeout | undefined;
  #sweep: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(onChange: (folders: ReadonlySet<string>) => void, options: WatchOptions) {
    this.#onChange = onChange;
    this.#options = options;
  }
  update(folders: readonly WatchedFolder[], since = Number.POSITIVE_INFINITY): void {
    if (this.#stopped) return;
    this.#since = this.#waiting.length > 0 ? Math.min(this.#since, since) : since;
    this.#names = namesOfInterest(folders);
    for (const folder of this.#wanted.keys()) if (!this.#names.has(folder)) this.#forget(folder);
    this.#waiting = [...this.#names.keys()].filter((folder) => !this.#wanted.has(folder)).reverse();
    // Thousands of names were just looked at: others first, before as many watches are set up.
    if (this.#waiting.length > 0) setImmediate(() => this.#work());
    else this.#settleIfDone();
  }
  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#settled.push(resolve);
      this.#settleIfDone();
    });
  }
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#debounce);
    clearTimeout(this.#sweep);
    this.#waiting = [];
    this.#settleIfDone();
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
    this.#wanted.clear();
  }
  /** Sets up watches, in slices. */
  #work(): void {
    const until = performance.now() + slice;
    const known = new Map<string, Way>();
    for (let folder = this.#waiting.pop(); folder !== undefined; folder = this.#waiting.pop()) {
      this.#attach(folder, known);
      if (this.#hasChanged(folder)) this.#note(folder, true);
      if (performance.now() < until || this.#waiting.length === 0) continue;
      // Not unreferenced: an idle process would run it when something else happens, minutes later.
      setImmediate(() => this.#work());
      return;
    }
    this.#settleIfDone();
  }
  #settleIfDone(): void {
    if (this.#waiting.length > 0) return;
    for (const resolve of this.#settled.splice(0)) resolve();
  }
  #attach(folder: string, known: Map<string, Way>): void {
    for (let way = wayTo(folder, known); this.#watchFor(folder, way, known); way = wayTo(folder)) {
      // It may have appeared, or have gone, before the watch was set.
      if (endsAsBefore(way)) return;
      this.#detach(folder);
    }
  }
  /** Whether something changed in a folder, or where it is missing, since it was looked at. */
  #hasChanged(folder: string): boolean {
    const way = this.#wanted.get(folder);
    if (way === undefined || this.#since === Number.POSITIVE_INFINITY) return false;
    if (way.real === undefined)
      return way.missing !== undefined && hasChangedSince(way.missing.at, [], this.#since);
    const names = this.#names.get(folder);
    return hasChangedSince(way.real, names && [...names.values()], this.#since);
  }
  /** False where the folder cannot be watched; then it is swept. */
  #watchFor(folder: string, way: Way, known: Map<string, Way>): boolean {
    this.#wanted.set(folder, way);
    const points = waypoints(way);
    const needed = way.real ?? points.at(-1)?.at;
    for (const at of foldersOf(way)) {
      const error = this.#watch(at, wayTo(at, known).identity);
      // What lies above may be closed to us: then the folder alone is watched.
      if (error === undefined || at !== needed) continue;
      this.#fallBack(folder, error);
      return false;
    }
    if (way.real !== undefined) this.#watched.get(way.real)?.own.add(folder);
    for (const { at, name } of points) {
      const ways = this.#watched.get(at)?.ways;
      const key = name.toLowerCase();
      ways?.set(key, (ways.get(key) ?? new Set()).add(folder));
    }
    return true;
  }
  /** What keeps a folder from being watched. */
  #watch(at: string, identity: string): unknown {
    const known = this.#watched.get(at);
    if (known?.identity === identity && !known.ended) return undefined;
    known?.watcher.close();
    const { own, ways } = known ?? { own: new Set<string>(), ways: new Map<string, Set<string>>() };
    const watch = this.#options.watch ?? fs.watch;
    try {
      const watcher = watch(at, { persistent: false }, (_, name) => this.#hear(at, name));
      watcher.on("error", () => this.#hear(at, null));
      this.#watched.set(at, { watcher, identity, ended: false, own, ways });
      return undefined;
    } catch (error) {
      this.#watched.delete(at);
      for (const other of own) this.#fallBack(other, error);
      return error;
    }
  }
  #hear(at: string, name: string | null): void {
    const watched = this.#watched.get(at);
    if (!watched) return;
    const isItself = name === null || name === path.basename(at);
    watched.ended ||= isItself;
    for (const folder of watched.own)
      if (isItself || this.#isOfInterest(folder, name)) this.#note(folder, true);
    const ways = isItself ? [...watched.ways.values()] : [watched.ways.get(name.toLowerCase()) ?? []];
    for (const folders of ways) for (const folder of folders) this.#note(folder, false);
  }
  #isOfInterest(folder: string, name: string): boolean {
    const names = this.#names.get(folder);
    return names === undefined || names.has(name.toLowerCase());
  }
  #note(folder: string, own: boolean): void {
    this.#heard.set(folder, own || (this.#heard.get(folder) ?? false));
    this.#debounce ??= setTimeout(() => this.#tell(), debounceMs).unref();
  }
  #tell(): void {
    this.#debounce = undefined;
    const changed = new Set<string>();
    const known = new Map<string, Way>();
    for (const [folder, own] of this.#heard) {
      if (!this.#wanted.has(folder)) continue;
      const isAnother = this.#renew(folder, known);
      if (own || isAnother) changed.add(folder);
    }
    this.#heard.clear();
    if (changed.size > 0) this.#onChange(changed);
  }
  /** Watches what the path leads to now; true where another folder stands there, or none, or one for the first time. */
  #renew(folder: string, known: Map<string, Way>): boolean {
    const before = this.#wanted.get(folder);
    if (!before) return false;
    const way = wayTo(folder, known);
    const isHeard = [...foldersOf(way)].every((at) => this.#watched.get(at)?.ended === false);
    if (isSameWay(before, way) && isHeard) return false;
    this.#detach(folder);
    this.#attach(folder, known);
    // What is missing may only be missing at another place.
    return before.real !== undefined || way.real !== undefined;
  }
  #detach(folder: string): void {
    const way = this.#wanted.get(folder);
    this.#wanted.delete(folder);
    if (!way) return;
    if (way.real !== undefined) this.#watched.get(way.real)?.own.delete(folder);
    for (const { at, name } of waypoints(way)) {
      const ways = this.#watched.get(at)?.ways;
      const folders = ways?.get(name.toLowerCase());
      folders?.delete(folder);
      if (folders?.size === 0) ways?.delete(name.toLowerCase());
    }
    for (const at of foldersOf(way)) {
      const watched = this.#watched.get(at);
      if (!watched || watched.own.size > 0 || watched.ways.size > 0) continue;
      watched.watcher.close();
      this.#watched.delete(at);
    }
  }
  #forget(folder: string): void {
    this.#detach(folder);
    this.#swept.delete(folder);
    this.#heard.delete(folder);
  }
  #fallBack(folder: string, cause: unknown): void {
    this.#detach(folder);
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
    for (const [folder, way] of this.#wanted) {
      if (way !== undefined) continue;
      const before = this.#swept.get(folder);
      const now = await sweepFolder(folder, (name) => this.#isOfInterest(folder, name));
      if (this.#stopped) return;
      this.#swept.set(folder, now);
      // What changed before the first look is not known.
      if (before !== now) this.#note(folder, true);
    }
    this.#sweepLater();
  }
}

/**
 * Where something has to be heard beside the folder itself: links, the folder's own name and the one above it, which may
 * be moved away as a whole; of a missing one the place where it will appear.
 */
function waypoints({ links, real, missing }: Way): readonly Waypoint[] {
  if (real === undefined) return missing ? [...links, missing] : links;
  const above = path.dirname(real);
  return [...links, ...[real, above].flatMap((folder) => entryOf(folder))];
}
const foldersOf = (way: Way): ReadonlySet<string> =>
  new Set([...waypoints(way).map(({ at }) => at), ...(way.real === undefined ? [] : [way.real])]);
function entryOf(folder: string): readonly Waypoint[] {
  const at = path.dirname(folder);
  return at === folder ? [] : [{ at, name: path.basename(folder) }];
}

/** `path.resolve`; a path that says itself where it lies, as nearly every one of thousands does, is not taken apart. */
const resolved = (folder: string): string => (plainPath.test(folder) ? folder : path.resolve(folder));
const plainPath = path.sep === "/" ? /^(?:\/(?!\.{0,2}(?:\/|$))[^/]+)+$/ : /(?!)/;

function namesOfInterest(
  folders: readonly WatchedFolder[],
): Map<string, ReadonlyMap<string, string> | undefined> {
  const all = new Map<string, ReadonlyMap<string, string> | undefined>();
  // Thousands of folders are watched for the same names: those share one map.
  const maps = new Map<ReadonlySet<string>, ReadonlyMap<string, string>>();
  const mapOf = (names: ReadonlySet<string>): ReadonlyMap<string, string> => {
    const map = maps.get(names) ?? new Map(Array.from(names, (name) => [name.toLowerCase(), name]));
    maps.set(names, map);
    return map;
  };
  for (const entry of folders) {
    const folder = resolved(typeof entry === "string" ? entry : entry.folder);
    const before = all.get(folder);
    if (typeof entry === "string" || (all.has(folder) && before === undefined)) all.set(folder, undefined);
    else all.set(folder, before ? new Map([...before, ...mapOf(entry.names)]) : mapOf(entry.names));
  }
  return all;
}
