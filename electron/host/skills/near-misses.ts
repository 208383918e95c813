import fs from "node:fs";
import path from "node:path";

/**
 * Whether the disk takes names of another case for the same: then a file must be compared with its directory's
 * entry (spec 3). Told by asking for the folder under its name in the other case.
 */
export function foldsCase(folder: string): boolean {
  const name = path.basename(folder);
  const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  if (other === name) return false;
  const own = fs.statSync(folder, { throwIfNoEntry: false });
  const twin = fs.statSync(path.join(path.dirname(folder), other), { throwIfNoEntry: false });
  return own !== undefined && twin !== undefined && own.ino === twin.ino && own.dev === twin.dev;
}

/** A file that its author meant as SKILL.md; undefined where there is none, or SKILL.md itself beside it. */
export function lookalike(folder: string): string | undefined {
  const names = fs.readdirSync(folder);
  return names.includes("SKILL.md") ? undefined : names.find((name) => name.toLowerCase() === "skill.md");
}

const deepest = 4;
const mostFolders = 200;
/** A SKILL.md further down in a folder that is none itself; looks into at most 200 folders, four levels down. */
export function belowDepth(folder: string): string | undefined {
  let level = [folder];
  let left = mostFolders;
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    const next: string[] = [];
    for (const parent of level) {
      if (left-- <= 0) return undefined;
      for (const entry of fs.readdirSync(parent, { withFileTypes: true })) {
        const at = path.join(parent, entry.name);
        if (entry.isFile() && entry.name === "SKILL.md") return at;
        if (entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
          next.push(at);
      }
    }
    level = next.sort();
  }
  return undefined;
}
