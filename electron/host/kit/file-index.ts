import { isObject } from "../../../shared/json.ts";
import { readText, writeAtomic } from "./files.ts";
import type { Clock } from "./clock.ts";

/** What tells that a file is the one that was read. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}
type Row<T> = readonly [size: number, mtimeMs: number, ctimeMs: number, ino: number, value: T];

/** File times may be this coarse, ms: what changed less long ago may change again and look the same. */
const coarseTime = 50;

export interface FileIndexOptions<T> {
  /** JSON, in the cache folder. Read with the first question; missing or broken is empty. */
  readonly file: string;
  /** A new one forgets all: names the program's version and the form of `T`. */
  readonly version: string;
  readonly isValue: (value: unknown) => value is T;
  readonly clock: Clock;
}
/**
 * What was read out of files, kept from start to start, so that a start only stats (performance, What follows).
 * Keyed by path and stamp.
 */
export class FileIndex<T> {
  readonly #options: FileIndexOptions<T>;
  #rows: Record<string, unknown> | undefined;
  #changed = false;
  constructor(options: FileIndexOptions<T>) {
    this.#options = options;
  }
  get(path: string, stamp: FileStamp): T | undefined {
    const rows = this.#load();
    const row = Object.hasOwn(rows, path) ? rows[path] : undefined;
    if (!this.#isRow(row)) return undefined;
    const same =
      row[0] === stamp.size && row[1] === stamp.mtimeMs && row[2] === stamp.ctimeMs && row[3] === stamp.ino;
    return same ? row[4] : undefined;
  }
  set(path: string, stamp: FileStamp, value: T): void {
    const rows = this.#load();
    this.#changed = true;
    const fresh = this.#options.clock.now() - Math.max(stamp.mtimeMs, stamp.ctimeMs) < coarseTime;
    if (fresh) delete rows[path];
    else rows[path] = [stamp.size, stamp.mtimeMs, stamp.ctimeMs, stamp.ino, value] satisfies Row<T>;
  }
  /** Writes what changed, without the files that are not among these. @throws NacreError `io` */
  async save(paths: ReadonlySet<string>): Promise<void> {
    // Nobody asked for a file, so none was read and none is known.
    if (this.#rows === undefined) return;
    const rows = this.#rows;
    const kept = Object.entries(rows).filter(([path]) => paths.has(path));
    if (!this.#changed && kept.length === Object.keys(rows).length) return;
    this.#changed = false;
    this.#rows = Object.fromEntries(kept);
    await writeAtomic(
      this.#options.file,
      JSON.stringify({ version: this.#options.version, rows: this.#rows }),
    );
  }
  #load(): Record<string, unknown> {
    this.#rows ??= this.#read();
    return this.#rows;
  }
  #read(): Record<string, unknown> {
    try {
      const text = readText(this.#options.file);
      const value: unknown = text === undefined ? undefined : JSON.parse(text);
      const known = isObject(value) && value["version"] === this.#options.version && isObject(value["rows"]);
      return known ? (value["rows"] as Record<string, unknown>) : {};
    } catch {
      // A cache that cannot be read is an empty one; the next save replaces it.
      return {};
    }
  }
  #isRow(row: unknown): row is Row<T> {
    return (
      Array.isArray(row) &&
      row.length === 5 &&
      row.every((part, index) => index === 4 || typeof part === "number") &&
      this.#options.isValue(row[4])
    );
  }
}
