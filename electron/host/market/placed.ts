import fs from "node:fs";
import path from "node:path";
import { canonicalJson, isObject } from "../../../shared/json.ts";
import { NacreError } from "../../../shared/errors.ts";
import type { Receipt } from "../../../shared/market.ts";
import { withFileLock } from "../config/file-lock.ts";
import { editJsonc } from "../config/jsonc.ts";
import { parseJsonc } from "../config/jsonc-read.ts";
import { lookAt, readBytes, readText, realPath, sha256, systemCode, writeAtomic } from "../kit/files.ts";

/** Beside what the user changed, so that nothing loads it: `SKILL.md.kept`. */
const keptSuffix = ".kept";

/** Hash of an entry in a shared file, whatever its spelling there. */
export const entryHash = (value: unknown): string => sha256(canonicalJson(value));

/**
 * Removes placed files, and the folders below `root` (itself included) that are empty then. A file that differs from
 * what was placed is kept beside its old name.
 * @returns where the kept ones are
 */
export function removeFiles(root: string, files: Receipt["files"]): string[] {
  const kept: string[] = [];
  for (const file of files) {
    const stat = lookAt(file.path);
    if (!stat) continue;
    if (stat.isFile() && sha256(readBytes(file.path) ?? "") === file.sha256) fs.rmSync(file.path);
    else kept.push(keepBeside(file.path));
  }
  removeEmptyFolders(root);
  return kept;
}
function keepBeside(file: string): string {
  for (let number = 1; ; number++) {
    const beside = `${file}${keptSuffix}${number === 1 ? "" : number}`;
    if (lookAt(beside)) continue;
    fs.renameSync(file, beside);
    return beside;
  }
}
/** Removes a folder where nothing but empty folders is in it. Returns whether it is gone. */
export function removeEmptyFolders(folder: string): boolean {
  let items: fs.Dirent[];
  try {
    items = fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return systemCode(error) === "ENOENT";
  }
  const emptied = items.map((item) => item.isDirectory() && removeEmptyFolders(path.join(folder, item.name)));
  if (emptied.includes(false)) return false;
  fs.rmdirSync(folder);
  return true;
}
/** Removes folders that an install has made, innermost first, as far as they are empty. */
export function removeMade(folders: readonly string[]): void {
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
    try {
      fs.rmdirSync(folder);
    } catch (error) {
      if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(systemCode(error) ?? "")) throw error;
    }
  }
}
/** The folders above `file` that do not exist yet, outermost first. */
export function missingFolders(file: string): string[] {
  const folder = path.dirname(file);
  if (folder === file || lookAt(folder)) return [];
  return [...missingFolders(folder), folder];
}

export interface PlacedEntry {
  readonly path: string;
  readonly pointer: readonly string[];
  readonly sha256: string;
}
/**
 * Takes an entry out of a shared JSONC file; comments and the rest stay. An entry that the user changed is taken out
 * too, and its text kept in a file beside.
 * @param undo what of the file had not been there before: then it goes as well, where nothing else has come
 * @returns where the changed entry is kept
 * @throws NacreError `configuration` for a file that does not parse
 */
export async function removeEntry(
  locks: string,
  { path: file, pointer, sha256: hash }: PlacedEntry,
  undo: { readonly file?: boolean; readonly parent?: boolean } = {},
): Promise<string | undefined> {
  return withFileLock(locks, realPath(file), async () => {
    const text = readText(file);
    if (text === undefined) return undefined;
    const parsed = await parseJsonc(text);
    if (!parsed.ok)
      throw new NacreError(
        "configuration",
        `${file} does not parse (line ${parsed.line}: ${parsed.message}), so ${pointer.join(".")} cannot be taken out of it; mend it first`,
      );
    const value = valueAt(parsed.value, pointer);
    if (value === undefined) return undefined;
    let kept: string | undefined;
    if (entryHash(value) !== hash) {
      // On the way back from a failed install what differs is somebody else's.
      if (undo.parent !== undefined) return undefined;
      kept = `${file}.${pointer.at(-1)}${keptSuffix}`;
      await writeAtomic(kept, `${JSON.stringify(value, null, 2)}\n`);
    }
    const parent = pointer.slice(0, -1);
    const siblings = valueAt(parsed.value, parent);
    const isLast = isObject(siblings) && Object.keys(siblings).length === 1;
    const isOnlyContent = isLast && isObject(parsed.value) && Object.keys(parsed.value).length === 1;
    if (undo.file === true && isOnlyContent) fs.rmSync(file);
    else {
      const path = undo.parent === true && isLast ? parent : pointer;
      await writeAtomic(file, await editJsonc(text, [{ path, value: undefined }], file));
    }
    return kept;
  });
}
export function valueAt(root: unknown, pointer: readonly string[]): unknown {
  let value = root;
  for (const key of pointer) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}
