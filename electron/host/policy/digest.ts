import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { canonicalJson } from "../../../shared/json.ts";
import { isInside, realPath, sha256, systemCode } from "../kit/files.ts";

/** A bundle with more entries is not one that a person approved. */
const mostFiles = 20_000;
const mostCached = 50_000;

interface CachedHash {
  readonly stamp: string;
  readonly hash: string;
}
/** Content hashes by path; good while size, mtime, ctime and inode are the same (spec 2, Trust). */
const cache = new Map<string, CachedHash>();

/** SHA-256 of a regular file's content; `absent` where there is none, so that its coming changes the digest. */
function fileHash(file: string): string {
  let stats: fs.BigIntStats;
  try {
    stats = fs.statSync(file, { bigint: true });
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return "absent";
    throw unreadable(file, error);
  }
  if (!stats.isFile()) return "no file";
  const stamp = `${stats.size} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.dev} ${stats.ino}`;
  const known = cache.get(file);
  if (known?.stamp === stamp) return known.hash;
  try {
    const hash = sha256(fs.readFileSync(file));
    if (cache.size >= mostCached) cache.clear();
    cache.set(file, { stamp, hash });
    return hash;
  } catch (error) {
    throw unreadable(file, error);
  }
}
const unreadable = (file: string, error: unknown): NacreError =>
  new NacreError("io", `cannot read ${file}, which a declaration brings; make it readable`, { cause: error });

/**
 * The digest of an executable declaration: SHA-256 over the canonical JSON of the declaration as written and over name
 * and content of every file it brings. Names are relative to `base` where one is given, so that a bundle keeps its
 * digest when it is moved. `files` are absolute; their order does not matter.
 * @throws NacreError `io` for a file that exists and cannot be read
 */
export function declarationDigest(raw: unknown, files: readonly string[], base?: string): string {
  const named = files.map((file) => {
    const name = base === undefined ? file : path.relative(base, file);
    return [name.replaceAll(path.sep, "/"), fileHash(file)] as const;
  });
  named.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return sha256(canonicalJson({ declaration: raw, files: named }));
}

/**
 * Every file of a bundle's folder but `.git`, as absolute paths in byte order; links are followed, and a folder
 * reached twice is listed once. `except` names folders that belong to the bundle's data.
 * @throws NacreError `io` for a folder that cannot be read, `invalid_input` for one with over 20,000 files
 */
export function folderFiles(folder: string, except: readonly string[] = []): string[] {
  const left = new Set(except);
  const seen = new Set<string>();
  const files: string[] = [];
  const walk = (current: string): void => {
    const real = realPath(current);
    if (seen.has(real)) return;
    seen.add(real);
    let entries: fs.Dirent[];
    try {
      entries = fs.readdirSync(current, { withFileTypes: true });
    } catch (error) {
      throw unreadable(current, error);
    }
    for (const entry of entries) {
      const file = path.join(current, entry.name);
      if ((current === folder && entry.name === ".git") || left.has(file)) continue;
      if (entry.isDirectory() || (entry.isSymbolicLink() && isFolder(file))) walk(file);
      else files.push(file);
      if (files.length > mostFiles)
        throw new NacreError(
          "invalid_input",
          `${folder} holds over ${mostFiles} files and cannot be approved`,
        );
    }
  };
  walk(folder);
  return files.sort();
}
const isFolder = (file: string): boolean =>
  fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Every word of a command that may name a file: the arguments themselves, what stands inside one (`sh -c "node s.js"`,
 * `--require ./pre.js` in a variable), and the path of a file: address.
 */
export const commandWords = (texts: readonly string[]): string[] =>
  [...new Set(texts.flatMap((text) => [text, ...text.split(/[\s'"`;|&()<>]+/)]))]
    .filter((word) => word !== "")
    .map((word) => word.replace(/^(--?[\w-]+=)?file:\/\//, "$1"));

/**
 * Which of a command's words name a regular file in the workspace: the files that a server, a hook or a debugger
 * brings. Words are taken from `cwd`; of `--flag=value` the value counts. Absolute paths, each once.
 */
export function argumentFiles(argv: readonly string[], cwd: string, workspace: string): string[] {
  const root = realPath(workspace);
  const found = new Set<string>();
  for (const word of argv)
    for (const text of [word, word.slice(word.indexOf("=") + 1)]) {
      if (text === "" || text.includes("\0")) continue;
      const file = path.resolve(cwd, text);
      const stats = statQuietly(file);
      if (stats?.isFile() && isInside(root, realPath(file))) found.add(file);
    }
  return [...found].sort();
}
function statQuietly(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    // A word that cannot be a path names no file: too long, a loop of links, a folder that is closed.
    if (systemCode(error) !== undefined) return undefined;
    throw error;
  }
}
