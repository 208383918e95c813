import fs from "node:fs";
import path from "node:path";
import { isInside, systemCode } from "../kit/files.ts";
import { skillFileName } from "./found-skill.ts";

/** Reports what was met at a path, and what to do about it. */
export type Tell = (code: string, at: string, message: string, fix?: string) => void;

/**
 * Whether the disk takes names of another case for the same: then a file must be compared with its directory's
 * entry (spec 3). Told by asking for the folder under its name in the other case.
 */
export function foldsCase(folder: string): boolean {
  const name = path.basename(folder);
  const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  if (other === name) return false;
  const twin = fs.statSync(path.join(path.dirname(folder), other), { throwIfNoEntry: false });
  if (!twin) return false;
  const own = fs.statSync(folder, { throwIfNoEntry: false });
  return own !== undefined && own.ino === twin.ino && own.dev === twin.dev;
}

/** A file that its author meant as SKILL.md; undefined where there is none, or SKILL.md itself beside it. */
export function lookalike(folder: string): string | undefined {
  const names = fs.readdirSync(folder);
  return names.includes(skillFileName)
    ? undefined
    : names.find((name) => name.toLowerCase() === skillFileName.toLowerCase());
}

const deepest = 4;
/** How many folders may still be looked into for the sake of a root: a large tree that is no skill costs no more. */
export interface FolderBudget {
  left: number;
}
/**
 * Tells of a SKILL.md further down in a folder that is none itself, up to four levels down, and once of all links
 * beside it that lead back to what holds them.
 */
export function belowDepth(folder: string, root: string, budget: FolderBudget, tell: Tell): void {
  const cycles: string[] = [];
  lookBelow(folder, root, budget, tell, cycles);
  const [first] = cycles;
  if (first === undefined) return;
  const names = cycles.slice(0, 5).map((at) => path.relative(folder, at));
  tell(
    "skill-link-cycle",
    first,
    cycles.length === 1
      ? `the link ${path.basename(first)} leads back to what holds it`
      : `${cycles.length} links lead back to what holds them: ${names.join(", ")}${cycles.length > names.length ? ", …" : ""}`,
    cycles.length === 1 ? "remove the link" : "remove the links",
  );
}
function lookBelow(folder: string, root: string, budget: FolderBudget, tell: Tell, cycles: string[]): void {
  let level = [folder];
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    const next: string[] = [];
    for (const parent of level) {
      if (budget.left-- <= 0) return;
      const entries = entriesOf(parent, tell);
      for (const entry of entries) {
        const at = path.join(parent, entry.name);
        if (entry.isSymbolicLink() && leadsBack(at)) cycles.push(at);
      }
      if (entries.some((entry) => entry.isFile() && entry.name === skillFileName))
        return tell(
          "skill-too-deep",
          path.join(parent, skillFileName),
          "a skill was found below the supported depth of one level and is not read",
          `move ${path.basename(parent)} to ${root}`,
        );
      for (const entry of entries)
        if (entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
          next.push(path.join(parent, entry.name));
    }
    level = next.sort();
  }
}
function entriesOf(folder: string, tell: Tell): readonly fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    tell("skill-unreadable", folder, `${path.basename(folder)} cannot be read: ${code}`);
    return [];
  }
}
function leadsBack(at: string): boolean {
  try {
    const parent = fs.realpathSync.native(path.dirname(at));
    return isInside(fs.realpathSync.native(at), parent);
  } catch (error) {
    // A link to nothing in a folder that is no skill is nobody's business here.
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

/** Tells once of the Markdown files that would be skills in another kind of root. */
export function tellLooseFiles(root: string, loose: readonly string[], tell: Tell): void {
  const names = loose.toSorted();
  const [first] = names;
  if (first === undefined) return;
  tell(
    "skill-loose-file",
    path.join(root, first),
    names.length === 1
      ? `1 loose .md file ignored: ${first} is no skill in this folder`
      : `${names.length} loose .md files ignored, which are no skills in this folder: ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}`,
    `move ${first} to ${first.slice(0, -3)}/SKILL.md`,
  );
}
