import { createHash } from "node:crypto";
import fs from "node:fs";
import { NacreError } from "../../../shared/errors.ts";
import { systemCode } from "../kit/files.ts";

/** A larger file is not one that a person approved; reading it would hold the host's thread for seconds. */
const mostBytes = 256 * 1024 * 1024;
const chunkBytes = 1024 * 1024;
const mostCached = 50_000;

export interface FileHash {
  /** SHA-256 of the content; `absent` where there is no file, `no file` for what is none. */
  readonly hash: string;
  readonly size: number;
}
/** Content hashes by path; good while size, mtime, ctime and inode are the same (spec 2, Trust). */
const cache = new Map<string, { readonly stamp: string; readonly hash: string }>();

/**
 * The hash of what a path leads to, so that the coming and going of a file changes it too. Read piece by piece.
 * @throws NacreError `io` for a file that exists and cannot be read, `invalid_input` for one of over 256 MB
 */
export function fileHash(file: string): FileHash {
  let stats: fs.BigIntStats;
  try {
    stats = fs.statSync(file, { bigint: true });
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return { hash: "absent", size: 0 };
    throw unreadable(file, error);
  }
  if (!stats.isFile()) return { hash: "no file", size: 0 };
  if (stats.size > BigInt(mostBytes))
    throw new NacreError(
      "invalid_input",
      `${file} is larger than ${mostBytes / 1024 / 1024} MB and cannot be approved`,
    );
  const stamp = `${stats.size} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.dev} ${stats.ino}`;
  const size = Number(stats.size);
  const known = cache.get(file);
  if (known?.stamp === stamp) return { hash: known.hash, size };
  try {
    const hash = hashContent(file);
    if (cache.size >= mostCached) cache.clear();
    cache.set(file, { stamp, hash });
    return { hash, size };
  } catch (error) {
    throw unreadable(file, error);
  }
}
function hashContent(file: string): string {
  const hash = createHash("sha256");
  const descriptor = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  try {
    if (!fs.fstatSync(descriptor).isFile()) throw new Error(`${file} is no regular file`);
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (let read; (read = fs.readSync(descriptor, chunk, 0, chunkBytes, null)) > 0;)
      hash.update(chunk.subarray(0, read));
  } finally {
    fs.closeSync(descriptor);
  }
  return hash.digest("hex");
}
/** What a declaration brings and nobody can read. */
export const unreadable = (file: string, error: unknown): NacreError =>
  new NacreError("io", `cannot read ${file}, which a declaration brings; make it readable`, { cause: error });
