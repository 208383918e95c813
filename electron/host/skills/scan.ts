import fs from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { isSkillName } from "../../../shared/names.ts";
import { isInside, lookOrNone, systemCode } from "../kit/files.ts";
import type { Pace } from "../kit/pace.ts";
import type { WatchedFolder } from "../kit/watch.ts";
import { wayTo } from "../kit/watch-way.ts";
import { FoundSkill, skillFileName, type RootPlace } from "./found-skill.ts";
import { belowDepth, lookalike, tellLooseFiles, type FolderBudget, type Tell } from "./near-misses.ts";
import type { SkillRoot } from "./roots.ts";

export interface RootScan {
  readonly root: SkillRoot;
  readonly exists: boolean;
  /** Links resolved; empty for what does not exist. */
  readonly real: string;
  readonly found: readonly FoundSkill[];
  /** What is no skill and may become one by a file that is written there, or by the target of a link that is made. */
  readonly others: readonly WatchedFolder[];
  readonly diagnostics: readonly Diagnostic[];
}
/** One object for thousands of calls. */
const noException = { throwIfNoEntry: false } as const;

/** A root that exists, or what there is to say of one that does not. */
export type OpenedRoot = { readonly real: string } | RootScan;

/** What a root is called by its real path. A missing one costs one failed call of the system. */
export function openRoot(root: SkillRoot): OpenedRoot {
  const diagnostics: Diagnostic[] = [];
  const none: RootScan = { root, exists: false, real: "", found: [], others: [], diagnostics };
  const say = (code: string, message: string): RootScan => {
    diagnostics.push({ code, severity: "warning", message, path: root.path });
    return none;
  };
  try {
    if (!fs.lstatSync(root.path, { throwIfNoEntry: false })) return none;
    return { real: fs.realpathSync.native(root.path) };
  } catch (error) {
    switch (systemCode(error)) {
      // It leads to nothing: an exception was made only where something stands there.
      case "ENOENT":
        return say("skill-link", "the link of this skills folder leads to nothing (ENOENT)");
      case "ELOOP":
        return say("skill-link-cycle", "the link of this skills folder leads to itself (ELOOP)");
      // A file stands where one of the folders above would be, which is nobody's skills folder.
      case "ENOTDIR":
        return none;
      case undefined:
        throw error;
      default:
        return say("skills-root-unreadable", `the skills folder cannot be read: ${systemCode(error)}`);
    }
  }
}

/**
 * Looks for skills in one root that exists: one `readdir`, one `stat` a skill, one level deep. Links are followed. What
 * cannot be read is a diagnostic and ends nothing else.
 * @param foldsCase Whether the disk takes `skill.md` for `SKILL.md`.
 */
export async function scanRoot(
  root: SkillRoot,
  realRoot: string,
  foldsCase: (folder: string) => boolean,
  pace: Pace,
): Promise<RootScan> {
  const walk = new RootWalk(root, realRoot, foldsCase);
  const entries = walk.entries();
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at];
    if (entry) walk.visit(entry);
    const pause = pace();
    if (pause) await pause;
  }
  return walk.result();
}

class RootWalk {
  readonly #place: RootPlace;
  readonly #root: SkillRoot;
  readonly #real: string;
  readonly #foldsCase: (folder: string) => boolean;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #found: FoundSkill[] = [];
  readonly #others: WatchedFolder[] = [];
  readonly #loose: string[] = [];
  readonly #budget: FolderBudget = { left: 200 };
  #exists = true;
  #checkCase = false;

  constructor(root: SkillRoot, real: string, foldsCase: (folder: string) => boolean) {
    this.#place = { root, real };
    this.#root = root;
    this.#real = real;
    this.#foldsCase = foldsCase;
  }
  /** What lies in the root; nothing for a root that is one skill itself, which is looked at here. */
  entries(): readonly fs.Dirent[] {
    const root = this.#root;
    try {
      const entries = root.single ? [] : fs.readdirSync(root.path, { withFileTypes: true });
      this.#checkCase = this.#foldsCase(root.path);
      if (root.single) this.#single();
      return entries;
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined) throw error;
      this.#exists = false;
      // Removed since it was looked up: then there simply is none.
      if (code !== "ENOENT")
        this.#tell("skills-root-unreadable", root.path, `the skills folder cannot be read: ${code}`);
      return [];
    }
  }
  visit(entry: fs.Dirent): void {
    const { name } = entry;
    if (name.startsWith(".") || name === "node_modules") return;
    if (name === skillFileName) return this.#tellOwnFile();
    const at = `${this.#root.path}${path.sep}${name}`;
    try {
      if (entry.isDirectory()) this.#directory(name, at);
      else if (entry.isSymbolicLink()) this.#link(name, at);
      else if (entry.isFile() && name.endsWith(".md")) this.#flat(name, () => fs.lstatSync(at));
    } catch (error) {
      this.#tellFailure(at, error);
    }
  }
  result(): RootScan {
    tellLooseFiles(this.#root.path, this.#loose, this.#tell);
    return {
      root: this.#root,
      exists: this.#exists,
      real: this.#real,
      found: this.#found,
      others: this.#others,
      diagnostics: this.#diagnostics,
    };
  }

  readonly #tell: Tell = (code, at, message, fix) => {
    this.#diagnostics.push({
      code,
      severity: "warning",
      message,
      path: at,
      ...(fix === undefined ? {} : { fix }),
    });
  };
  /** A folder that is a skill, where a folder of skills is meant. */
  #tellOwnFile(): void {
    const { path: at, source } = this.#root;
    this.#tell(
      "skills-root-is-skill",
      path.join(at, skillFileName),
      "this folder is a skill itself, and skills are looked for in the folders below it",
      source === "custom"
        ? `name the one above in skills.dirs: ${path.dirname(at)}`
        : `move ${skillFileName} into a folder of its own`,
    );
  }
  #single(): void {
    const at = this.#root.path;
    try {
      this.#directory(path.basename(at), at);
    } catch (error) {
      this.#tellFailure(at, error);
    }
  }
  /** @param linked The real path of the folder, where the entry is a link. */
  #directory(placeName: string, folder: string, linked?: string): void {
    const root = this.#root;
    const file = `${folder}${path.sep}${skillFileName}`;
    const stats = fs.lstatSync(file, noException);
    const other = stats === undefined || this.#checkCase ? lookalike(folder) : undefined;
    if (other === undefined && stats?.isFile()) {
      this.#found.push(new FoundSkill(this.#place, "directory", placeName, stats, linked));
      return;
    }
    if (other === undefined && stats?.isSymbolicLink()) {
      const linkedFile = fs.realpathSync.native(file);
      const target = fs.statSync(linkedFile);
      if (target.isFile())
        this.#found.push(new FoundSkill(this.#place, "directory", placeName, target, linked, linkedFile));
      else this.#tell("skill-unreadable", file, `the link ${skillFileName} leads to no file`);
      return;
    }
    this.#others.push(folder);
    if (other !== undefined)
      this.#tell(
        "skill-file-name",
        path.join(folder, other),
        `${other} is not read: the file of a skill is ${skillFileName}, letter by letter`,
        `rename ${other} to ${skillFileName}`,
      );
    else if (stats) this.#tell("skill-unreadable", file, `${skillFileName} is no file`);
    // What lies behind a link that leads elsewhere is not this root's.
    else if (linked === undefined || isInside(this.#real, linked))
      belowDepth(folder, root.path, this.#budget, this.#tell);
  }
  #flat(name: string, stats: () => fs.Stats, linked?: string): void {
    const placeName = name.slice(0, -3);
    if (!isSkillName(placeName)) return;
    if (!this.#root.flatFiles) this.#loose.push(name);
    else this.#found.push(new FoundSkill(this.#place, "flat", placeName, stats(), linked, linked));
  }
  #link(name: string, at: string): void {
    const real = fs.realpathSync.native(at);
    const target = fs.statSync(real);
    if (target.isDirectory() && isInside(real, this.#real))
      this.#tell(
        "skill-link-cycle",
        at,
        `the link ${name} leads back to ${real}, which holds it`,
        "remove the link",
      );
    else if (target.isDirectory()) this.#directory(name, at, real);
    else if (target.isFile() && name.endsWith(".md") && this.#root.flatFiles)
      this.#flat(name, () => target, real);
    else this.#tell("skill-link", at, `the link ${name} leads to no folder and is passed over`);
  }
  /** Where a link that leads nowhere would lead: each link on the way, and what is missing. */
  #awaitTarget(link: string): void {
    const { links, missing } = wayTo(link);
    for (const { at, name } of missing ? [...links, missing] : links)
      this.#others.push({ folder: at, names: new Set([name]) });
  }
  /** One entry that cannot be read is told and does not hide the others. @throws What is no failure of the system */
  #tellFailure(place: string, error: unknown): void {
    const code = systemCode(error);
    if (code === undefined) throw error;
    const link = deadLink(place) ?? deadLink(path.join(place, skillFileName));
    if (link !== undefined) this.#awaitTarget(link);
    const name = path.basename(link ?? place);
    if (code === "ENOENT" && link !== undefined)
      this.#tell("skill-link", link, `the link ${name} leads to nothing (ENOENT)`);
    else if (code === "ELOOP")
      this.#tell("skill-link-cycle", link ?? place, `the link ${name} leads to itself (ELOOP)`);
    else if (code === "ENOENT" && name.includes("\uFFFD"))
      this.#tell(
        "skill-unreadable",
        place,
        `the name ${name} is no UTF-8, so it cannot be opened`,
        "rename it",
      );
    else if (code === "ENOENT" && lookOrNone(place)?.isSymbolicLink())
      this.#tell("skill-link", place, `the link ${name} leads to no folder and is passed over`);
    else if (code === "ENOENT")
      this.#tell("skill-unreadable", place, `${name} was removed while it was looked at (ENOENT)`);
    else this.#tell("skill-unreadable", place, `${name} cannot be read: ${code}`);
  }
}
/** The link itself, where it leads nowhere. */
function deadLink(at: string): string | undefined {
  try {
    if (!fs.lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
    return fs.statSync(at, { throwIfNoEntry: false }) ? undefined : at;
  } catch (error) {
    // In a circle it leads nowhere, too; what is closed to us is told by the failure that brought us here.
    return systemCode(error) === "ELOOP" ? at : undefined;
  }
}
