import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "./clock.ts";
import { mayHaveChangedSince } from "./file-times.ts";
import { indexLine, IndexReader, rowsOfLine, writeIndexFile, type IndexRow } from "./index-file.ts";
import type { Pace } from "./pace.ts";

/** What tells that a file is the one that was read. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}
export interface StampedFile {
  readonly path: string;
  readonly stamp: FileStamp;
}
/** How a value stands in the index file. */
export interface IndexForm<T> {
  /** Anything that JSON keeps. */
  readonly pack: (value: T) => unknown;
  /** Of what was packed by the same version. Undefined: not worth keeping, the file is read again. */
  readonly unpack: (packed: unknown) => T | undefined;
}
/** Values that JSON keeps as they are. */
export const plainForm = <T>(isValue: (value: unknown) => value is T): IndexForm<T> => ({
  pack: (value) => value,
  unpack: (packed) => (isValue(packed) ? packed : undefined),
});
const unpaced: Pace = () => undefined;

/** What was set, packed, which is smaller. */
interface Changed {
  readonly stamp: FileStamp;
  readonly packed: unknown;
}
export interface FileIndexOptions<T> {
  /** In the cache folder. Read with the first question; missing or broken is empty. */
  readonly file: string;
  /** A new one forgets all: names the program's version and the form of `T`. */
  readonly version: string;
  readonly form: IndexForm<T>;
  readonly clock: Clock;
}
/**
 * What was read out of files, kept from start to start, so that a start only stats (performance, What follows). Keyed
 * by path and stamp. Nothing of the file is held: values are made when they are asked for, and nobody has them twice.
 */
export class FileIndex<T> {
  readonly #options: FileIndexOptions<T>;
  #wasAsked = false;
  /** What is known better than in the file; null for what is known no more. */
  readonly #changes = new Map<string, Changed | null>();
  /** What was set and is no change yet: thousands are set while somebody waits, and looked at when nobody does. */
  #fresh: { readonly file: StampedFile; readonly value: T; readonly mayChange: boolean }[] = [];
  #saving: Promise<void> = Promise.resolve();
  constructor(options: FileIndexOptions<T>) {
    this.#options = options;
  }
  /**
   * What is known of each file, undefined in place of one that is not known as it is. Quick where they are asked for in
   * the order in which they were saved.
   * @param use Makes of a value, at once, what is wanted of it, so that thousands of values are not held for nothing.
   */
  async getMany<R>(
    files: readonly StampedFile[],
    use: (value: T, at: number) => R,
    pace: Pace = unpaced,
  ): Promise<(R | undefined)[]> {
    const values: (R | undefined)[] = [];
    const unsure: number[] = [];
    const reader = this.#read();
    const { unpack } = this.#options.form;
    const used = (packed: unknown, at: number): R | undefined => {
      const value = unpack(packed);
      return value === undefined ? undefined : use(value, at);
    };
    this.#settle();
    const hasChanges = this.#changes.size > 0;
    let isAtEnd = false;
    try {
      for (let at = 0; at < files.length; at++) {
        const file = files[at];
        if (!file) continue;
        const { path } = file;
        const changed = hasChanges ? this.#changes.get(path) : undefined;
        const isHere = reader.path === path;
        if (changed !== undefined)
          values.push(changed && isSame(changed.stamp, file.stamp) ? used(changed.packed, at) : undefined);
        else if (isHere) values.push(reader.isOf(file.stamp) ? used(reader.packed, at) : undefined);
        else {
          values.push(undefined);
          unsure.push(at);
        }
        if (isHere) reader.next();
        const pause = pace();
        if (pause) await pause;
      }
      isAtEnd = reader.path === undefined;
    } finally {
      reader.close();
    }
    // Where every row found its file, the others are new.
    if (unsure.length === 0 || isAtEnd) return values;
    const rows = await this.#all(pace);
    for (const at of unsure) {
      const file = files[at];
      const row = file && rows.get(file.path);
      if (row && isSame(row, file.stamp)) values[at] = used(row.packed, at);
    }
    return values;
  }
  /** @param file Kept, and never changed by whoever has it */
  set(file: StampedFile, value: T): void {
    this.#fresh.push({ file, value, mayChange: mayHaveChangedSince(file.stamp, this.#options.clock.now()) });
  }
  /**
   * Writes what changed, in the order of these paths and without what is not among them. Holds the thread for no longer
   * than a few ms at a time. @throws NacreError `io`; then the next one tries again
   */
  save(paths: ReadonlySet<string>): Promise<void> {
    // One after the other: the last one knows most.
    const saving = this.#saving.then(() => this.#save(paths));
    this.#saving = saving.catch(() => {
      // Thrown to who asked for it; the next one is not kept from trying.
    });
    return saving;
  }
  async #save(paths: ReadonlySet<string>): Promise<void> {
    // Nobody asked for a file, so none was read and none is known.
    if (!this.#wasAsked) return;
    const { file, version } = this.#options;
    this.#settle();
    const taken = new Map(this.#changes);
    const known = await this.#all(nextLine);
    const rows = [...paths].flatMap((path) => {
      const row = known.get(path);
      return row ? [[path, row] as const] : [];
    });
    if (taken.size === 0 && rows.length === known.size) return;
    const lines: string[] = [];
    for (let start = 0; start < rows.length; start += rowsOfLine) {
      lines.push(indexLine(rows.slice(start, start + rowsOfLine)));
      await nextTurn();
    }
    await writeIndexFile(file, version, lines);
    // What was set while it was written is for the next one.
    for (const [path, row] of taken) if (this.#changes.get(path) === row) this.#changes.delete(path);
  }
  #settle(): void {
    const fresh = this.#fresh;
    this.#fresh = [];
    for (const { file, value, mayChange } of fresh) {
      const { path, stamp } = file;
      this.#changes.set(path, mayChange ? null : { stamp, packed: this.#options.form.pack(value) });
    }
  }
  #read(): IndexReader {
    const { file, version } = this.#options;
    this.#wasAsked = true;
    return new IndexReader(file, version);
  }
  /** Everything that is known, by path. */
  async #all(pace: Pace): Promise<ReadonlyMap<string, IndexRow>> {
    const rows = new Map<string, IndexRow>();
    const reader = this.#read();
    try {
      while (reader.path !== undefined) {
        rows.set(reader.path, reader.row());
        const pause = reader.next() ? pace() : undefined;
        if (pause) await pause;
      }
    } finally {
      reader.close();
    }
    for (const [path, row] of this.#changes)
      if (row === null) rows.delete(path);
      else {
        const { size, mtimeMs, ctimeMs, ino } = row.stamp;
        rows.set(path, { size, mtimeMs, ctimeMs, ino, packed: row.packed });
      }
    return rows;
  }
}
const nextLine: Pace = () => nextTurn();

const isSame = (row: FileStamp, stamp: FileStamp): boolean =>
  row.size === stamp.size &&
  row.mtimeMs === stamp.mtimeMs &&
  row.ctimeMs === stamp.ctimeMs &&
  row.ino === stamp.ino;
