import fs from "node:fs";
import { toErrorValue } from "../../../shared/errors.ts";
import { largestSkillBytes } from "../../../shared/skills.ts";
import { findProjectRoot } from "../config/project-root.ts";
import { isInside, readBytes, systemCode } from "../kit/files.ts";
import { createPace } from "../kit/pace.ts";
import { textOfBytes } from "../kit/text-bytes.ts";
import type { ReadSkill, SkillFiles } from "./files.ts";
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
    async readMany(files, signal) {
      const pace = createPace(yields, signal);
      const read: ReadSkill[] = [];
      for (const file of files) {
        read.push(readSkill(file.path, file.real));
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

function readSkill(file: string, folder: string): ReadSkill {
  try {
    const bytes = readBytes(file, largestSkillBytes);
    if (bytes === undefined) return undefined;
    const read = textOfBytes(bytes, "kept");
    return read.ok ? { text: read.text, inside: liesInside(file, folder) } : { problem: read.finding };
  } catch (error) {
    return {
      problem: { code: "skill-unreadable", severity: "error", message: toErrorValue(error).message },
    };
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
