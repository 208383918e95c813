import fs from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { isSkillName } from "../../../shared/names.ts";
import { isInside, systemCode } from "../kit/files.ts";
import type { FileStamp } from "../kit/file-index.ts";
import { belowDepth, foldsCase, lookalike } from "./near-misses.ts";
import type { SkillRoot } from "./roots.ts";

export const skillFileName = "SKILL.md";

/** A file that is a skill by its place; what it holds is not looked at here. */
export interface FoundSkill {
  readonly root: SkillRoot;
  readonly form: "directory" | "flat";
  /** Of the directory, or of the flat file without its ending. */
  readonly placeName: string;
  /** The Markdown file, as people reach it. */
  readonly path: string;
  /** What its relative paths are relative to: its directory; the root for the flat form. */
  readonly folder: string;
  /** The skill's directory with links resolved; for the flat form the real file. One of them is one skill. */
  readonly real: string;
  /** The entry in the root is a link. */
  readonly linked: boolean;
  readonly stamp: FileStamp;
}
export interface RootScan {
  readonly root: SkillRoot;
  readonly exists: boolean;
  readonly found: readonly FoundSkill[];
  /** Every folder that is a skill or may become one by a file that is written into it. */
  readonly folders: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Only what is kept: a Stats object is six times as large. */
const stampOf = ({ size, mtimeMs, ctimeMs, ino }: fs.Stats): FileStamp => ({ size, mtimeMs, ctimeMs, ino });
const reason = (error: unknown): string => systemCode(error) ?? String(error);

/**
 * Looks for skills in one root: one `readdir`, one `stat` a skill, one level deep. Links are followed. What cannot be
 * read is a diagnostic and ends nothing else.
 */
export function scanRoot(root: SkillRoot): RootScan {
  const diagnostics: Diagnostic[] = [];
  const tell = (code: string, at: string, message: string, fix?: string): void => {
    diagnostics.push({ code, severity: "warning", message, path: at, ...(fix === undefined ? {} : { fix }) });
  };
  let entries: readonly fs.Dirent[];
  let realRoot: string;
  try {
    realRoot = fs.realpathSync.native(root.path);
    entries = root.single ? [] : fs.readdirSync(root.path, { withFileTypes: true });
  } catch (error) {
    const code = systemCode(error);
    if (code !== "ENOENT" && !(code === "ENOTDIR" && !isFile(root.path)))
      tell("skills-root-unreadable", root.path, `the skills folder cannot be read: ${reason(error)}`);
    return { root, exists: false, found: [], folders: [], diagnostics };
  }
  const checkCase = foldsCase(root.path);
  const loose: string[] = [];
  const found: FoundSkill[] = [];
  const folders: string[] = [];

  const directory = (placeName: string, folder: string, real: string, linked: boolean): void => {
    folders.push(folder);
    const file = `${folder}${path.sep}${skillFileName}`;
    const stamp = fs.statSync(file, { throwIfNoEntry: false });
    const other = stamp === undefined || checkCase ? lookalike(folder) : undefined;
    if (other !== undefined)
      return tell(
        "skill-file-name",
        path.join(folder, other),
        `${other} is not read: the file of a skill is ${skillFileName}, letter by letter`,
        `rename ${other} to ${skillFileName}`,
      );
    if (stamp === undefined) {
      if (isDangling(file)) return tell("skill-link", file, `the link ${skillFileName} leads to nothing`);
      const deep = belowDepth(folder);
      if (deep !== undefined)
        tell(
          "skill-too-deep",
          deep,
          "a skill was found below the supported depth of one level and is not read",
          `move ${path.basename(path.dirname(deep))} to ${root.path}`,
        );
      return undefined;
    }
    if (!stamp.isFile()) return tell("skill-unreadable", file, `${skillFileName} is no file`);
    found.push({
      root,
      form: "directory",
      placeName,
      path: file,
      folder,
      real,
      linked,
      stamp: stampOf(stamp),
    });
  };
  const flat = (name: string, file: string, real: string, stats: fs.Stats, linked: boolean): void => {
    const placeName = name.slice(0, -3);
    if (!name.endsWith(".md") || !isSkillName(placeName)) return;
    if (root.flatFiles)
      found.push({
        root,
        form: "flat",
        placeName,
        path: file,
        folder: root.path,
        real,
        linked,
        stamp: stampOf(stats),
      });
    else loose.push(name);
  };
  const visit = (entry: fs.Dirent): void => {
    const { name } = entry;
    const at = `${root.path}${path.sep}${name}`;
    if (entry.isDirectory()) return directory(name, at, `${realRoot}${path.sep}${name}`, false);
    if (entry.isFile() && !name.endsWith(".md")) return undefined;
    if (entry.isFile()) return flat(name, at, path.join(realRoot, name), fs.statSync(at), false);
    if (!entry.isSymbolicLink()) return undefined;
    const real = fs.realpathSync.native(at);
    const target = fs.statSync(real);
    if (!target.isDirectory()) {
      const isFlat = root.flatFiles && name.endsWith(".md") && target.isFile();
      return isFlat
        ? flat(name, at, real, target, true)
        : tell("skill-link", at, `the link ${name} leads to no folder and is passed over`);
    }
    if (isInside(real, realRoot))
      return tell(
        "skill-link-cycle",
        at,
        `the link ${name} leads back to ${real}, which holds it`,
        "remove the link",
      );
    return directory(name, at, real, true);
  };

  if (root.single)
    attempt(
      () => directory(path.basename(root.path), root.path, realRoot, false),
      () => root.path,
      tell,
    );
  for (const entry of entries)
    if (!entry.name.startsWith(".") && entry.name !== "node_modules")
      attempt(
        () => visit(entry),
        () => path.join(root.path, entry.name),
        tell,
      );
  if (loose.length > 0) {
    const names = loose.sort();
    tell(
      "skill-loose-file",
      path.join(root.path, names[0] ?? ""),
      names.length === 1
        ? `a loose .md file is no skill in this folder: ${names[0]}`
        : `${names.length} loose .md files are no skills in this folder: ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}`,
      `move ${names[0]} to ${names[0]?.slice(0, -3)}/${skillFileName}`,
    );
  }
  return { root, exists: true, found, folders, diagnostics };
}

const isFile = (at: string): boolean => {
  try {
    return fs.statSync(at, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    // A path that cannot be looked at is told by the caller, who met the same failure.
    return false;
  }
};

/** One entry that cannot be read is told and does not hide the others. */
function attempt(
  visit: () => void,
  place: () => string,
  tell: (code: string, at: string, message: string) => void,
): void {
  try {
    visit();
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    const at = place();
    const dangling = code === "ENOENT" && isDangling(at);
    if (dangling) tell("skill-link", at, `the link ${path.basename(at)} leads to nothing`);
    else if (code === "ELOOP") tell("skill-link-cycle", at, `the link ${path.basename(at)} leads to itself`);
    // What was removed between the listing and this moment is simply gone.
    else if (code !== "ENOENT") tell("skill-unreadable", at, `${path.basename(at)} cannot be read: ${code}`);
  }
}
const isDangling = (at: string): boolean =>
  fs.lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
