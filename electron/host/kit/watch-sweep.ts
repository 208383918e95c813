import fs from "node:fs";
import path from "node:path";

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
