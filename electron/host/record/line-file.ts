import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { systemCode } from "../kit/files.ts";

const lineFeed = 0x0a;
/** Windows has no such flags, and neither links that a repository could bring nor pipes to wait for. */
const guarded: number = (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);
const reason = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
function sizeOf(descriptor: number): number {
  const stats = fs.fstatSync(descriptor);
  if (!stats.isFile()) throw new Error("it is no regular file");
  return stats.size;
}

/**
 * An append-only file of lines. What stands behind its last line feed is a torn line: readers pass it over, and the
 * first append cuts it off. A link in its place is refused: a workspace may come from somebody else.
 */
export class LineFile {
  readonly path: string;
  #descriptor: number | undefined;
  /** Bytes up to the last line feed that we know of. */
  #offset = 0;

  constructor(file: string) {
    this.path = file;
  }
  /** Bytes of whole lines that were read or written. */
  get size(): number {
    return this.#offset;
  }
  /** The whole lines that came since the last call, also those of another process. Empty where there is no file. */
  readNew(): string[] {
    let descriptor = this.#descriptor;
    try {
      descriptor ??= fs.openSync(this.path, fs.constants.O_RDONLY | guarded);
      const size = sizeOf(descriptor);
      if (size <= this.#offset) return [];
      const bytes = Buffer.alloc(size - this.#offset);
      const read = fs.readSync(descriptor, bytes, 0, bytes.length, this.#offset);
      const end = bytes.subarray(0, read).lastIndexOf(lineFeed) + 1;
      this.#offset += end;
      return bytes.toString("utf8", 0, end).split("\n").slice(0, -1);
    } catch (error) {
      if (systemCode(error) === "ENOENT") return [];
      throw this.#failure("read", error);
    } finally {
      if (descriptor !== undefined && descriptor !== this.#descriptor) fs.closeSync(descriptor);
    }
  }
  /** Whether the file holds more than what was read or written here: somebody else wrote. False where there is none. */
  hasMore(): boolean {
    const size = fs.statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
    return size > this.#offset;
  }
  /** The next `readNew` begins at the file's start. */
  rewind(): void {
    this.#offset = 0;
  }
  /** Writes one line in one call. @throws NacreError `io`; then the file is as it was. */
  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    try {
      this.#descriptor ??= this.#open();
      const written = fs.writeSync(this.#descriptor, bytes);
      if (written < bytes.length) {
        fs.ftruncateSync(this.#descriptor, this.#offset);
        throw new Error("the disk is full");
      }
    } catch (error) {
      throw this.#failure("write to", error);
    }
    this.#offset += bytes.length;
  }
  /** Has the system bring to the disk what was written (fdatasync). */
  sync(): void {
    if (this.#descriptor !== undefined) fs.fdatasyncSync(this.#descriptor);
  }
  /** Gives the descriptor back; the next append opens it again. */
  close(): void {
    if (this.#descriptor !== undefined) fs.closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
  #open(): number {
    const { O_APPEND, O_CREAT, O_RDWR } = fs.constants;
    const flags = O_APPEND | O_CREAT | O_RDWR | guarded;
    let descriptor: number;
    try {
      descriptor = fs.openSync(this.path, flags, 0o600);
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
      fs.mkdirSync(path.dirname(this.path), { recursive: true });
      descriptor = fs.openSync(this.path, flags, 0o600);
    }
    let size: number;
    try {
      size = sizeOf(descriptor);
    } catch (error) {
      fs.closeSync(descriptor);
      throw error;
    }
    if (size > this.#offset) {
      const tail = Buffer.alloc(size - this.#offset);
      fs.readSync(descriptor, tail, 0, tail.length, this.#offset);
      this.#offset += tail.lastIndexOf(lineFeed) + 1;
      if (size > this.#offset) fs.ftruncateSync(descriptor, this.#offset);
    }
    return descriptor;
  }
  #failure(what: string, cause: unknown): NacreError {
    const text =
      systemCode(cause) === "ELOOP"
        ? "it is a link, and records are not written through links"
        : reason(cause);
    return new NacreError("io", `cannot ${what} ${this.path}: ${text}`, { cause });
  }
}
