import fs from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { NacreError } from "../../../shared/errors.ts";
import { isInside, systemCode } from "../kit/files.ts";
import { skillFileName } from "./found-skill.ts";

/** Names listed with a loaded skill (spec 3). */
export const mostResources = 50;
/** Bytes of one file that are handed over (spec 3). */
export const largestResource = 512 * 1024;
const mostFolders = 200;
/** Looked at in all: a skill with a large tree in it is listed as fast as any other. */
const mostEntries = 5_000;

export interface ResourceList {
  /** Relative to the skill, with `/`, sorted; SKILL.md itself is not among them. */
  readonly files: readonly string[];
  /** So many more were met. */
  readonly more: number;
  /** False where the folder was too large to be looked through: there may be still more. */
  readonly whole: boolean;
  /** Links that lead out of the skill, back into what holds them, or to nothing: none of them is listed or read. */
  readonly problems: readonly Diagnostic[];
}

/** The files of a skill's folder, the nearest first. Links are listed where they stay inside and are not walked. */
export function listResources(folder: string): ResourceList {
  let root: string;
  try {
    root = fs.realpathSync.native(folder);
  } catch (error) {
    // Removed since the skill was loaded: its text stands without files.
    if (systemCode(error) === undefined) throw error;
    return { files: [], more: 0, whole: true, problems: [] };
  }
  return new Listing(folder, root).list();
}

class Listing {
  readonly #folder: string;
  readonly #root: string;
  readonly #files: string[] = [];
  readonly #problems: Diagnostic[] = [];
  #folders = 0;
  #entries = 0;
  constructor(folder: string, real: string) {
    this.#folder = folder;
    this.#root = real;
  }
  list(): ResourceList {
    let level = [""];
    while (level.length > 0) {
      const next: string[] = [];
      for (const relative of level) {
        if (++this.#folders > mostFolders || this.#entries >= mostEntries) return this.#listed(false);
        for (const entry of this.#read(path.join(this.#root, relative))) {
          const name = relative === "" ? entry.name : `${relative}/${entry.name}`;
          if (entry.name.startsWith(".") || entry.name === "node_modules" || name === skillFileName) continue;
          if (entry.isDirectory()) next.push(name);
          else if (entry.isFile() || (entry.isSymbolicLink() && this.#staysInside(name)))
            this.#files.push(name);
        }
      }
      level = next;
    }
    return this.#listed(this.#entries < mostEntries);
  }
  #listed(whole: boolean): ResourceList {
    const files = this.#files.slice(0, mostResources);
    return { files, more: this.#files.length - files.length, whole, problems: this.#problems };
  }
  /** Sorted; of a folder with thousands of entries some. */
  #read(folder: string): readonly fs.Dirent[] {
    let open: fs.Dir | undefined;
    const entries: fs.Dirent[] = [];
    try {
      open = fs.opendirSync(folder, { bufferSize: 256 });
      for (let entry = open.readSync(); entry; entry = open.readSync()) {
        entries.push(entry);
        if (++this.#entries >= mostEntries) break;
      }
    } catch (error) {
      // A folder that cannot be looked into has nothing to offer; reading one of its files says why.
      if (systemCode(error) === undefined) throw error;
    } finally {
      open?.closeSync();
    }
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  #staysInside(name: string): boolean {
    const at = path.join(this.#root, name);
    try {
      const real = fs.realpathSync.native(at);
      if (isInside(real, path.dirname(at)))
        this.#tell(name, "skill-link-cycle", "leads back to what holds it", "remove the link");
      else if (!isInside(this.#root, real))
        this.#tell(
          name,
          "skill-link-outside",
          "leads out of the skill's folder; it is neither listed nor read",
          "put a copy of the file in its place",
        );
      else return fs.statSync(real).isFile();
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined) throw error;
      this.#tell(name, "skill-link", `leads to nothing (${code})`, "remove the link");
    }
    return false;
  }
  #tell(name: string, code: string, what: string, fix: string): void {
    const at = path.join(this.#folder, name);
    this.#problems.push({ code, severity: "warning", message: `the link ${name} ${what}`, path: at, fix });
  }
}

/**
 * One file of a skill's folder, checked by real path to lie inside; at most 512 KB, then a line tells what is missing.
 * @throws NacreError `denied` where it leaves the folder, `not_found`, `invalid_input` for what is no text file.
 */
export function readResource(folder: string, file: string): string {
  let root: string;
  try {
    root = fs.realpathSync.native(folder);
  } catch (error) {
    throw new NacreError("not_found", `the skill's folder ${folder} is gone`, { cause: error });
  }
  const wanted = path.resolve(root, file);
  let real: string;
  try {
    real = fs.realpathSync.native(wanted);
  } catch (error) {
    if (!isInside(root, wanted)) throw outside(file);
    throw new NacreError("not_found", `the skill has no file ${file}`, { cause: error });
  }
  if (!isInside(root, real)) throw outside(file);
  try {
    return readInside(root, wanted, real, file);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined || error instanceof NacreError) throw error;
    throw new NacreError("not_found", `the file ${file} of the skill cannot be read: ${code}`, {
      cause: error,
    });
  }
}
function readInside(root: string, wanted: string, real: string, file: string): string {
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
    const isSame = opened.ino === before.ino && opened.dev === before.dev;
    if (!isSame || fs.realpathSync.native(wanted) !== real || fs.realpathSync.native(root) !== root)
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
