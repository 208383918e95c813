import { isAscii } from "node:buffer";
import fs from "node:fs";
import { toErrorValue } from "../../../shared/errors.ts";
import { largestSkillBytes } from "../../../shared/skills.ts";
import { findProjectRoot } from "../config/project-root.ts";
import { FileReader } from "../kit/file-reader.ts";
import { isInside, isMissing, refusesLinks, systemCode } from "../kit/files.ts";
import { createPace } from "../kit/pace.ts";
import { headBytes, textOfBytes, type BytesAsText } from "../kit/text-bytes.ts";
import type { ReadSkill, SkillFile, SkillFiles } from "./files.ts";
import { foldsCase } from "./near-misses.ts";
import { listResources, readResource } from "./resources.ts";
import { openRoot, scanRoot, type RootScan } from "./scan.ts";

export interface LocalFilesOptions {
  /** False on the command line, where nobody waits for the thread; true where absent. */
  readonly yields?: boolean;
  /** Whether the disk below a root takes names of another case for the same; found out where absent. */
  readonly foldsCase?: (root: string) => boolean;
}

/** The files of this machine. Synchronous inside, which is ten times as fast as Node's own asynchronous reading. */
export function createLocalFiles(options: LocalFilesOptions = {}): SkillFiles {
  const { yields = true } = options;
  return {
    projectRoot: async (cwd) => findProjectRoot(cwd),
    async scan(roots, signal) {
      const pace = createPace(yields, signal);
      const scans: RootScan[] = [];
      for (const root of roots) {
        const opened = openRoot(root);
        if ("root" in opened) scans.push(opened);
        else if (scans.some((scan) => covers(scan, opened.real, root)))
          scans.push({ root, exists: true, real: opened.real, found: [], others: [], diagnostics: [] });
        else scans.push(await scanRoot(root, opened.real, options.foldsCase ?? foldsCase, pace));
      }
      return scans;
    },
    read: async (file) => readSkill(new FileReader(), file, textOfSkill),
    async readHeads(files, signal) {
      const pace = createPace(yields, signal);
      const reader = new FileReader();
      const read: ReadSkill[] = [];
      for (const file of files) {
        read.push(readSkill(reader, file, headOfSkill, file.size));
        const pause = pace();
        if (pause) await pause;
      }
      return read;
    },
    resources: async (folder) => listResources(folder),
    resource: async (folder, file) => readResource(folder, file),
  };
}

/** Nothing would be found in a root of this real path that was not found already. */
const covers = (
  { real, exists, root: { single = false, flatFiles } }: RootScan,
  other: string,
  root: RootScan["root"],
): boolean => exists && real === other && single === (root.single ?? false) && (flatFiles || !root.flatFiles);

const textOfSkill = (bytes: Buffer): BytesAsText => textOfBytes(bytes, "kept");
const headOfSkill = (bytes: Buffer): BytesAsText =>
  textOfBytes(isAscii(bytes) && !bytes.includes(0) ? headBytes(bytes) : bytes, "kept");

function readSkill(
  reader: FileReader,
  { path: file, real }: SkillFile,
  textOf: (bytes: Buffer) => BytesAsText,
  size?: number,
): ReadSkill {
  try {
    // What is no link itself lies where it was found: only of a link has to be asked where it leads.
    const [bytes, isLink] = bytesOf(reader, file, size);
    const read = textOf(bytes);
    if (!read.ok) return { problem: read.finding };
    return { text: read.text, inside: isLink ? liesInside(file, real) : true };
  } catch (error) {
    if (isMissing(error)) return undefined;
    return {
      problem: {
        code: "skill-unreadable",
        severity: "error",
        message: `cannot read ${file}: ${toErrorValue(error).message}`,
      },
    };
  }
}
/** With whether it may be a link. */
function bytesOf(reader: FileReader, file: string, size?: number): readonly [bytes: Buffer, isLink: boolean] {
  if (!refusesLinks) return [reader.read(file, largestSkillBytes, true, size), true];
  try {
    return [reader.read(file, largestSkillBytes, false, size), false];
  } catch (error) {
    if (systemCode(error) !== "ELOOP") throw error;
    return [reader.read(file, largestSkillBytes, true, size), true];
  }
}
function liesInside(file: string, folder: string): boolean {
  try {
    return isInside(folder, fs.realpathSync.native(file));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    // Gone since it was read: then nothing is inferred from it.
    return false;
  }
}
