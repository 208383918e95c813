import { isAscii } from "node:buffer";
import { readBytes, writeAtomic } from "./files.ts";

/** One file, what tells that it is still the same, and what was read out of it. `ctimeMs` is 0 where it is `mtimeMs`. */
export type IndexRow = readonly [
  size: number,
  mtimeMs: number,
  ctimeMs: number,
  ino: number,
  packed: unknown,
  ...written: readonly unknown[],
];
/** As it stands in a line: of its path what differs from the one before it, whose first characters it shares. */
type WrittenRow = readonly [
  size: number,
  mtimeMs: number,
  ctimeMs: number,
  ino: number,
  packed: unknown,
  shared: number,
  rest: string,
];

/** Of an index, bytes; a larger file was not written here. */
const mostBytes = 64 * 1024 * 1024;
/** A longer path was not written here. */
const longestPath = 32 * 1024;
/** What is read or written without letting others have the thread. */
export const rowsOfLine = 200;
const newline = 10;

/** The lines of an index file as they were read, the version taken off; undefined for what is none of that version. */
export function readIndexFile(file: string, version: string): Buffer | undefined {
  const head = Buffer.from(`${JSON.stringify(version)}\n`);
  try {
    const bytes = readBytes(file, mostBytes);
    return bytes?.subarray(0, head.length).equals(head) ? bytes.subarray(head.length) : undefined;
  } catch {
    // A cache that cannot be read is an empty one; the next save replaces it.
    return undefined;
  }
}
/** Replaces the file. @param lines Each made by `indexLine`. @throws NacreError `io` */
export const writeIndexFile = (file: string, version: string, lines: readonly string[]): Promise<void> =>
  writeAtomic(file, [JSON.stringify(version), ...lines, ""].join("\n"));

/** One line of at most 200 rows, with what their paths share. */
export function indexLine(rows: readonly (readonly [path: string, row: IndexRow])[]): string {
  let before = "";
  const written = rows.map(([path, row]): WrittenRow => {
    const shared = sharedStart(before, path);
    before = path;
    return [row[0], row[1], row[2], row[3], row[4], shared, path.slice(shared)];
  });
  return JSON.stringify(written);
}
function sharedStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  return shared;
}

/** Goes through an index from its first row to its last. Holds one line at a time. */
export class IndexReader {
  readonly #bytes: Buffer;
  #start = 0;
  #rows: readonly unknown[] = [];
  #at = -1;
  #path: string | undefined = "";
  #row: IndexRow = [0, 0, 0, 0, undefined];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.next();
  }
  /** Of the row at hand; undefined at the end. */
  get path(): string | undefined {
    return this.#path;
  }
  get row(): IndexRow {
    return this.#row;
  }
  /** To the next row; of a damaged line the rows before the damage count. True where another line was begun. */
  next(): boolean {
    if (this.#take(this.#rows[++this.#at])) return false;
    do {
      const text = this.#line();
      if (text === undefined) {
        this.#path = undefined;
        return true;
      }
      this.#rows = listOf(text);
      this.#at = 0;
      this.#path = "";
    } while (!this.#take(this.#rows[0]));
    return true;
  }
  #take(row: unknown): boolean {
    if (!isWritten(row)) return false;
    const path = (this.#path ?? "").slice(0, row[5]) + row[6];
    if (path.length > longestPath) return false;
    this.#path = path;
    this.#row = row;
    return true;
  }
  #line(): string | undefined {
    const start = this.#start;
    const end = this.#bytes.indexOf(newline, start);
    // The last line ends as every line does, or the file was cut off.
    if (end < 0) return undefined;
    this.#start = end + 1;
    const ascii = isAscii(this.#bytes.subarray(start, end));
    return this.#bytes.toString(ascii ? "latin1" : "utf8", start, end);
  }
}
function listOf(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    // A damaged line: its files are read again, and the next save replaces it.
    return [];
  }
}
const isWritten = (row: unknown): row is WrittenRow =>
  Array.isArray(row) &&
  row.length === 7 &&
  typeof row[0] === "number" &&
  typeof row[1] === "number" &&
  typeof row[2] === "number" &&
  typeof row[3] === "number" &&
  typeof row[5] === "number" &&
  typeof row[6] === "string";
