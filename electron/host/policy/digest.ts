import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { canonicalJson } from "../../../shared/json.ts";
import { isFolder, isInside, linkTargetOrNone, realPath, sha256 } from "../kit/files.ts";
import { fileHash, unreadable } from "./file-hash.ts";
import { packageText } from "./package-text.ts";

/** A bundle with more entries is not one that a person approved. */
const mostFiles = 20_000;

/** One file, or one link on the way to it, as a digest takes it in. */
export interface FingerprintFile {
  /** Relative to a bundle's folder, absolute for everything else; `/` on every platform. */
  readonly name: string;
  /** SHA-256 of the content, `absent`, or `link: TARGET` for a link. */
  readonly hash: string;
  /** Of a package.json only what it runs counts: see `packageText`. */
  readonly part?: "package";
  /** Bytes; 0 for a link. */
  readonly size: number;
  /** Where it lies. */
  readonly file: string;
}
/** What a declaration is, with all it brings, and the digest over it. */
export interface Fingerprint {
  /** SHA-256 as 64 lower-case hex digits. */
  readonly digest: string;
  /** As written, unresolved. */
  readonly declaration: unknown;
  /** In byte order of their names. */
  readonly files: readonly FingerprintFile[];
}

/**
 * The fingerprint of an executable declaration: SHA-256 over the canonical JSON of the declaration as written and over
 * name and content of every file it brings; of a link, where it leads. `files` are absolute; their order does not matter.
 * @param place `packages`: every package.json of which only what it runs counts. `base`: names are relative to it, so
 *   that a bundle keeps its digest when it is moved. `within`: the content of a file whose real path lies elsewhere does
 *   not count, the links that lead there do.
 * @throws NacreError `io` for a file that exists and cannot be read, `invalid_input` for one that is too large
 */
export function fingerprint(
  declaration: unknown,
  files: readonly string[],
  {
    base,
    within,
    packages = [],
  }: { readonly base?: string; readonly within?: string; readonly packages?: readonly string[] } = {},
): Fingerprint {
  const nameOf = (file: string): string =>
    (base === undefined ? file : path.relative(base, file)).replaceAll(path.sep, "/");
  const parts = [...new Set(files)].flatMap((file): FingerprintFile[] => {
    const name = nameOf(file);
    const target = linkTargetOrNone(file);
    const link: FingerprintFile[] =
      target === undefined ? [] : [{ name, hash: `link: ${target}`, size: 0, file }];
    if (target !== undefined && within !== undefined && !leadsInside(within, file)) return link;
    const content = fileHash(file);
    return target !== undefined && content.hash === "no file" ? link : [...link, { name, ...content, file }];
  });
  for (const file of new Set(packages)) {
    const text = packageText(file) ?? "";
    const size = Buffer.byteLength(text);
    parts.push({ name: `${nameOf(file)}#run`, hash: sha256(text), size, file, part: "package" });
  }
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  parts.sort((a, b) => order(a.name, b.name) || order(a.hash, b.hash));
  const named = parts.map(({ name, hash }) => [name, hash]);
  return { digest: sha256(canonicalJson({ declaration, files: named })), declaration, files: parts };
}
function leadsInside(folder: string, file: string): boolean {
  try {
    return isInside(folder, realPath(file));
  } catch (error) {
    // A circle of links leads nowhere; its targets are in the digest.
    if (error instanceof NacreError) return false;
    throw error;
  }
}

/**
 * Every file of a bundle's folder but `.git`, and every link in it, as absolute paths in byte order; links are followed,
 * and a folder reached twice is listed once. `except` names folders that belong to the bundle's data.
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
      const isLink = entry.isSymbolicLink();
      // A link to a folder counts itself too: it may be turned to another folder that is listed already.
      if (isLink || !entry.isDirectory()) files.push(file);
      if (entry.isDirectory() || (isLink && isFolder(file))) walk(file);
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
