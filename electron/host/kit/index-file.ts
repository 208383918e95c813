import { isAscii } from "node:buffer";
import fs from "node:fs";
import { openRegular, sha256, writeAtomic } from "./files.ts";

/** One file: what tells that it is still the same, and what was read out of it. */
export interface IndexRow {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly packed: unknown;
}
/**
 * One line, by columns, which make fewer and smaller things than rows when they are parsed. Of a path stands what
 * differs from the one before it, whose first characters it shares; a `ctimeMs` is 0 where it is `mtimeMs`.
 */
type Columns = readonly [
  shared: readonly number[],
  rest: readonly string[],
  size: readonly number[],
  mtimeMs: readonly number[],
  ctimeMs: readonly number[],
  ino: readonly number[],
  packed: readonly unknown[],
];

/** Of an index, bytes; a larger file was not written here. */
const mostBytes = 64 * 1024 * 1024;
/** What is read or written without letting others have the thread. */
export const rowsOfLine = 100;
const newline = 10;
/** Bytes that are read at once: a few lines. */
const pieceBytes = 64 * 1024;

/** Replaces the file. @param lines Each made by `indexLine`. @throws NacreError `io` */
export const writeIndexFile = (file: string, version: string, lines: readonly string[]): Promise<void> =>
  writeAtomic(file, [JSON.stringify(version), ...lines, ""].join("\n"));

/** Before each line stands its digest, by which damage is seen: what has passed it is what was written. */
const digestLength = 16;
const digestOf = (text: string | Uint8Array): string => sha256(text).slice(0, digestLength);

/** One line of at most 100 rows. */
export function indexLine(rows: readonly (readonly [path: string, row: IndexRow])[]): string {
  let before = "";
  const shared = rows.map(([path]) => {
    const count = sharedStart(before, path);
    before = path;
    return count;
  });
  const columns: Columns = [
    shared,
    rows.map(([path], at) => path.slice(shared[at])),
    rows.map(([, { size }]) => size),
    rows.map(([, { mtimeMs }]) => mtimeMs),
    rows.map(([, { ctimeMs, mtimeMs }]) => (ctimeMs === mtimeMs ? 0 : ctimeMs)),
    rows.map(([, { ino }]) => ino),
    rows.map(([, { packed }]) => packed),
  ];
  const text = JSON.stringify(columns);
  return `${digestOf(text)} ${text}`;
}
function sharedStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  return shared;
}

const noColumns: Columns = [[], [], [], [], [], [], []];

/**
 * Goes through an index from its first row to its last. Holds one line at a time, and the file open until its end is
 * met or it is closed.
 */
export class IndexReader {
  readonly #lines: LineReader;
  #columns = noColumns;
  #at = -1;
  #path: string | undefined = "";

  /** What is missing, cannot be read or is of another version has no row. */
  constructor(file: string, version: string) {
    this.#lines = new LineReader(file);
    const first = this.#lines.next();
    if (first && textOf(first) === JSON.stringify(version)) this.next();
    else this.close();
  }
  close(): void {
    this.#path = undefined;
    this.#lines.close();
  }
  /** Of the row at hand; undefined at the end. */
  get path(): string | undefined {
    return this.#path;
  }
  get packed(): unknown {
    return this.#columns[6][this.#at];
  }
  /** Whether the row at hand is of the very file. */
  isOf({ size, mtimeMs, ctimeMs, ino }: Omit<IndexRow, "packed">): boolean {
    const at = this.#at;
    const columns = this.#columns;
    const changed = columns[4][at];
    return (
      columns[2][at] === size &&
      columns[3][at] === mtimeMs &&
      (changed === 0 ? mtimeMs : changed) === ctimeMs &&
      columns[5][at] === ino
    );
  }
  /** The row at hand by itself. */
  row(): IndexRow {
    const at = this.#at;
    const [, , sizes, written, changed, inos] = this.#columns;
    const mtimeMs = written[at] ?? 0;
    return {
      size: sizes[at] ?? 0,
      mtimeMs,
      ctimeMs: changed[at] || mtimeMs,
      ino: inos[at] ?? 0,
      packed: this.packed,
    };
  }
  /** To the next row; there is none behind a damaged line. True where another line was begun. */
  next(): boolean {
    this.#at++;
    const isSameLine = this.#at < this.#columns[0].length;
    if (!isSameLine) {
      const line = this.#lines.next();
      const columns = line && columnsOf(line);
      if (!columns) {
        this.close();
        return true;
      }
      this.#columns = columns;
      this.#at = 0;
      this.#path = "";
    }
    const [shared, rest] = this.#columns;
    this.#path = (this.#path ?? "").slice(0, shared[this.#at]) + (rest[this.#at] ?? "");
    return !isSameLine;
  }
}
/** Undefined for a damaged line: what is not known is read again, and the next save replaces it. */
function columnsOf(line: Buffer): Columns | undefined {
  const text = line.subarray(digestLength + 1);
  if (line.toString("latin1", 0, digestLength) !== digestOf(text)) return undefined;
  try {
    const value: unknown = JSON.parse(textOf(text));
    return areColumns(value) ? value : undefined;
  } catch {
    // Somebody else's line, digest and all.
    return undefined;
  }
}
/** As `indexLine` writes them: of one length, and of one row at least. */
const areColumns = (value: unknown): value is Columns =>
  Array.isArray(value) &&
  value.length === noColumns.length &&
  value.every((column: unknown, _, all: readonly unknown[]) => {
    const [first] = all;
    return (
      Array.isArray(column) && Array.isArray(first) && column.length === first.length && first.length > 0
    );
  });
/** Half the work for what most lines hold. */
const textOf = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? "latin1" : "utf8");

/** The lines of a file, piece by piece into one buffer: memory that was never used costs more than reading. */
class LineReader {
  #descriptor: number | undefined;
  #buffer = Buffer.allocUnsafe(pieceBytes);
  #start = 0;
  #end = 0;

  constructor(file: string) {
    try {
      this.#descriptor = openRegular(file, mostBytes);
    } catch {
      // A cache that cannot be read is an empty one; the next save replaces it.
    }
  }
  /**
   * Good until the next call. Undefined at the end; a last line that does not end as every line does was cut off, and
   * is none.
   */
  next(): Buffer | undefined {
    for (;;) {
      const end = this.#buffer.subarray(0, this.#end).indexOf(newline, this.#start);
      if (end >= 0) {
        const line = this.#buffer.subarray(this.#start, end);
        this.#start = end + 1;
        return line;
      }
      if (!this.#fill()) return undefined;
    }
  }
  close(): void {
    if (this.#descriptor !== undefined) fs.closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
  /** More of the file behind what is there; false at its end. */
  #fill(): boolean {
    if (this.#descriptor === undefined) return false;
    const rest = this.#buffer.subarray(this.#start, this.#end);
    if (rest.length > this.#buffer.length / 2) this.#buffer = Buffer.concat([rest], 2 * this.#buffer.length);
    else rest.copy(this.#buffer);
    this.#start = 0;
    this.#end = rest.length;
    try {
      const read = fs.readSync(
        this.#descriptor,
        this.#buffer,
        this.#end,
        this.#buffer.length - this.#end,
        null,
      );
      this.#end += read;
      return read > 0;
    } catch {
      // As where it could not be opened.
      return false;
    }
  }
}
