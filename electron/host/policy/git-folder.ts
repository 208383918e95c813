import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { realOrGiven } from "../config/real-or-given.ts";
import { entriesOrNone, isFolder, isInside, linkTargetOrNone, statOrNone, textOrNone } from "../kit/files.ts";

/** What of one `.git` has to be guarded, absolute paths. */
export interface GitFacts {
  /** A git folder: writable, so that commits work, but for what is named here. */
  readonly isRepository: boolean;
  /** No links: those are among `names`. */
  readonly readOnly: readonly string[];
  readonly emptyFolders: readonly string[];
  /** Folders on the way to the above, but for the git folder itself. */
  readonly anchors: readonly string[];
  /** Git folders outside the workspace that this one leads to, genuinely: writable too. */
  readonly outside: readonly string[];
  /** What stands there and would lead git elsewhere, with the target where it is a link (`""` otherwise). */
  readonly names: readonly (readonly [file: string, target: string])[];
  /** Folders and files that its configuration names, of hooks and of more configuration; they need not exist. */
  readonly steering: readonly string[];
}

const folders = ["hooks", "info", "modules"];
/** `commondir` and `gitdir` say where the repository of a worktree is. */
const files = ["config", "config.worktree", "commondir", "gitdir"];
/** In `.git` only these are read-only, so that commits work (spec 4). */
export const guardedInGit: readonly string[] = [...folders, ...files];
/** Missing, these stand there empty: what is put into them runs, or steers git, at once. */
const emptyWhereMissing = ["hooks", "info"];

export const isGitName = (name: string): boolean => name.toLowerCase() === ".git";

/**
 * Looks at `.git` in `folder`. A file that leads elsewhere opens that place only where `follow` is true and the link is
 * genuine both ways: git's own folder for this worktree or submodule names this very place.
 */
export function gitFacts(git: string, folder: string, follow: boolean): GitFacts {
  if (isFolder(git)) return ofFolder(git, folder);
  const linked = follow ? linkedFolder(git, folder) : undefined;
  if (linked === undefined)
    return {
      isRepository: false,
      readOnly: [],
      emptyFolders: [],
      anchors: [],
      outside: [],
      names: [],
      steering: [],
    };
  return { ...ofFolder(linked, folder), isRepository: false, outside: [linked] };
}

function ofFolder(git: string, worktree: string): GitFacts {
  const present = new Map(entriesOrNone(git).map((entry) => [entry.name, entry.isSymbolicLink()]));
  const guarded = guardedInGit.filter((name) => present.has(name));
  const at = (name: string): string => path.join(git, name);
  // What is missing and stands there empty meanwhile is not new when it has been made for that.
  const names = [...new Set([...guarded, ...emptyWhereMissing])].map(
    (name) => [at(name), present.get(name) === true ? linkTarget(at(name)) : ""] as const,
  );
  const worktrees = present.has("worktrees") ? ofWorktrees(at("worktrees")) : undefined;
  return {
    isRepository: true,
    readOnly: [
      ...guarded.filter((name) => present.get(name) === false).map(at),
      ...(worktrees?.readOnly ?? []),
    ],
    emptyFolders: emptyWhereMissing.filter((name) => !present.has(name)).map(at),
    anchors: worktrees?.anchors ?? [],
    outside: [],
    names: [...names, ...(worktrees?.names ?? [])],
    steering: ["config", "config.worktree"]
      .filter((name) => present.has(name))
      .flatMap((name) => steeredBy(textOf(at(name)) ?? "", git, worktree)),
  };
}
/**
 * What a configuration has git read or run: its folder of hooks (from the worktree) and files that it includes (from where
 * it stands). Husky's own folder `_` calls the scripts beside it.
 */
function steeredBy(config: string, git: string, worktree: string): string[] {
  const steering: string[] = [];
  let section = "";
  for (const line of config.split("\n")) {
    section = /^\s*\[\s*([\w.-]+)/.exec(line)?.[1]?.toLowerCase() ?? section;
    const [, key, value] = /^(?:\s*\[[^\]]*\])?\s*(\w+)\s*=\s*"?(.*?)"?\s*$/.exec(line) ?? [];
    if (!key || !value) continue;
    const isHooks = section === "core" && key.toLowerCase() === "hookspath";
    const isMore = section.startsWith("include") && key.toLowerCase() === "path";
    if (!isHooks && !isMore) continue;
    const file = value.startsWith("~/")
      ? path.join(os.homedir(), value.slice(2))
      : path.resolve(isHooks ? worktree : git, value);
    steering.push(isHooks && path.basename(file) === "_" ? path.dirname(file) : file);
  }
  // A link on the way counts as what it leads to.
  return steering.map((file) => path.join(realOrGiven(path.dirname(file)), path.basename(file)));
}
/** Where the other worktrees of a repository lead to is not to be changed from here. */
function ofWorktrees(folder: string): Pick<GitFacts, "readOnly" | "anchors" | "names"> {
  const owns = entriesOrNone(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(folder, entry.name));
  if (owns.length === 0) return { readOnly: [], anchors: [], names: [] };
  const readOnly = owns
    .flatMap((own) => files.map((name) => path.join(own, name)))
    .filter((file) => fs.existsSync(file));
  const names = readOnly
    .filter((file) => path.basename(file) === "config.worktree")
    .map((file) => [file, ""] as const);
  return { readOnly: readOnly.map((file) => realOrGiven(file)), anchors: [folder, ...owns], names };
}

/** The git folder of a worktree's repository, or of a submodule; undefined where anything does not fit. */
export function linkedFolder(git: string, folder: string): string | undefined {
  const target = /^gitdir: (.+?)\r?\n?$/.exec(textOf(git) ?? "")?.[1];
  if (target === undefined) return undefined;
  const own = realOrGiven(path.resolve(folder, target));
  if (isInside(folder, own) || !isFolder(own)) return undefined;
  const common = textOf(path.join(own, "commondir"))?.trim();
  if (common === undefined) return submodule(own, folder);
  const back = textOf(path.join(own, "gitdir"))?.trim();
  const repository = path.dirname(path.dirname(own));
  const fits =
    back !== undefined &&
    realOrGiven(path.resolve(own, back)) === git &&
    path.basename(path.dirname(own)) === "worktrees" &&
    realOrGiven(path.resolve(own, common)) === repository &&
    isRepository(repository) &&
    !isInside(repository, folder);
  return fits ? repository : undefined;
}
/** A submodule's git folder is a whole repository whose configuration names the folder that it is checked out in. */
function submodule(own: string, folder: string): string | undefined {
  const worktree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(textOf(path.join(own, "config")) ?? "")?.[1];
  const fits =
    worktree !== undefined &&
    isRepository(own) &&
    !isInside(own, folder) &&
    realOrGiven(path.resolve(own, worktree.replace(/^"(.*)"$/, "$1"))) === folder;
  return fits ? own : undefined;
}
const isRepository = (folder: string): boolean =>
  ["HEAD", "objects", "refs"].every((name) => fs.existsSync(path.join(folder, name)));
/** Where a link leads; `?` for what is none any more: the next look tells. */
export const linkTarget = (link: string): string => linkTargetOrNone(link) ?? "?";
/** Undefined for what is no file of a few kilobytes: links between git folders are one line. */
const textOf = (file: string): string | undefined =>
  (statOrNone(file)?.size ?? 0) > 64 * 1024 ? undefined : textOrNone(file);
