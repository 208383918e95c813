import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { isInside, systemCode } from "../kit/files.ts";

/** Names listed with a loaded skill (spec 3). */
export const mostResources = 50;
/** Bytes of one file that are handed over (spec 3). */
export const largestResource = 512 * 1024;
const mostFolders = 200;
const mostEntries = 5_000;

export interface ResourceList {
  /** Relative to the skill, with `/`, sorted; SKILL.md itself is not among them. */
  readonly files: readonly string[];
  /** So many more were met. */
  readonly more: number;
  /** False where the folder was too large to be looked through: there may be still more. */
  readonly whole: boolean;
}

/** The files of a skill's folder, the nearest first. Links are listed where they stay inside and are not walked. */
export function listResources(folder: string): ResourceList {
  const files: string[] = [];
  const root = fs.realpathSync.native(folder);
  let level = [""];
  let folders = 0;
  let entries = 0;
  while (level.length > 0) {
    const next: string[] = [];
    for (const relative of level) {
      if (++folders > mostFolders) return listed(files, false);
      for (const entry of readSorted(path.join(root, relative))) {
        if (++entries > mostEntries) return listed(files, false);
        const name = relative === "" ? entry.name : `${relative}/${entry.name}`;
        if (entry.name.startsWith(".") || entry.name === "node_modules" || name === "SKILL.md") continue;
        if (entry.isDirectory()) next.push(name);
        else if (entry.isFile() || staysInside(root, path.join(root, name))) files.push(name);
      }
    }
    level = next;
  }
  return listed(files, true);
}
const listed = (files: readonly string[], whole: boolean): ResourceList => ({
  files: files.slice(0, mostResources),
  more: Math.max(0, files.length - mostResources),
  whole,
});
function readSorted(folder: string): readonly fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    // A folder that cannot be looked into has nothing to offer; reading one of its files says why.
    if (systemCode(error) !== undefined) return [];
    throw error;
  }
}
function staysInside(root: string, at: string): boolean {
  try {
    const real = fs.realpathSync.native(at);
    return isInside(root, real) && fs.statSync(real).isFile();
  } catch {
    // A link to nothing is no file.
    return false;
  }
}

/**
 * One file of a skill's folder, checked by real path to lie inside; at most 512 KB, then a line tells what is missing.
 * @throws NacreError `denied` where it leaves the folder, `not_found`, `invalid_input` for what is no text file.
 */
export function readResource(folder: string, file: string): string {
  const root = fs.realpathSync.native(folder);
  const wanted = path.resolve(root, file);
  let real: string;
  try {
    real = fs.realpathSync.native(wanted);
  } catch (error) {
    if (!isInside(root, wanted)) throw outside(file);
    throw new NacreError("not_found", `the skill has no file ${file}`, { cause: error });
  }
  if (!isInside(root, real)) throw outside(file);
  const before = fs.lstatSync(real);
  if (!before.isFile())
    throw new NacreError("invalid_input", `${file} is no file; name one of the skill's files`);
  // Not followed, not waited for: what was put in its place since the check is refused.
  const descriptor = fs.openSync(
    real,
    fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0),
  );
  try {
    const opened = fs.fstatSync(descriptor);
    if (opened.ino !== before.ino || opened.dev !== before.dev || fs.realpathSync.native(wanted) !== real)
      throw outside(file);
    const buffer = Buffer.alloc(Math.min(opened.size, largestResource));
    const bytes = buffer.subarray(0, fs.readSync(descriptor, buffer, 0, buffer.length, 0));
    if (bytes.includes(0))
      throw new NacreError("invalid_input", `${file} is no text (${opened.size} bytes); it lies at ${real}`);
    const whole = opened.size <= largestResource;
    // A cut through a character leaves its beginning, which decodes to one mark.
    const text = whole ? bytes.toString("utf8") : bytes.toString("utf8").replace(/\uFFFD$/, "");
    return whole ? text : `${text}\n[cut: the first ${largestResource} of ${opened.size} bytes]`;
  } finally {
    fs.closeSync(descriptor);
  }
}
const outside = (file: string): NacreError =>
  new NacreError("denied", `${file} lies outside the skill's folder and is not read`);
