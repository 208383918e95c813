import fs from "node:fs";
import path from "node:path";
import { mayHaveChangedSince } from "./file-times.ts";
import { statOrNone, systemCode } from "./files.ts";

/** A text that changes when an entry of interest is added, removed, renamed or written; empty for no folder. */
export async function sweepFolder(folder: string, isOfInterest: (name: string) => boolean): Promise<string> {
  const names = await fs.promises.readdir(folder).catch(() => undefined);
  if (!names) return "";
  const entries = await Promise.all(
    names
      .filter(isOfInterest)
      .sort()
      .map(async (name) => {
        const stat = await fs.promises.stat(path.join(folder, name)).catch(() => undefined);
        // What is gone again, or closed to us, counts by its name.
        return stat ? `${name}:${stat.ino}:${stat.size}:${stat.mtimeMs}` : name;
      }),
  );
  return `${folder}\n${entries.join("\n")}`;
}

/**
 * Whether a folder, or a file in it, may have changed at `since`, ms since the epoch, or later.
 * @param names The files of interest; every file where absent. Where they are named, nothing else is looked at, however
 * many others lie beside them: one that came or went has changed the folder.
 */
export function hasChangedSince(
  folder: string,
  names: readonly string[] | undefined,
  since: number,
): boolean {
  const isRecent = (at: string): boolean => {
    const stat = statOrNone(at);
    return stat !== undefined && mayHaveChangedSince(stat, since);
  };
  return isRecent(folder) || (names ?? filesIn(folder)).some((name) => isRecent(path.join(folder, name)));
}
function filesIn(folder: string): readonly string[] {
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name]));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    // Gone or closed to us: nothing in it can be told apart.
    return [];
  }
}
