import os from "node:os";
import path from "node:path";
import { realOrGiven } from "../config/real-or-given.ts";
import { keyFolders } from "../config/user-folders.ts";
import { isInside, linkTargetOrNone, realPath } from "../kit/files.ts";
import { fromHome } from "../kit/home-path.ts";
import { comparableName, isDoubtfulOnWindows, isSecretName } from "../kit/path-names.ts";

/** Folders through which an agent could grant itself something (spec 4). */
export const protectedFolders = [
  ".git",
  ".agent",
  ".agents",
  ".claude",
  ".dsh",
  ".dropstone",
  ".kairox",
] as const;

/** Files that do the same: they declare servers and rules (spec 2). */
export const protectedFiles = [".mcp.json", "dropstone.json", "kairox.toml"] as const;

/** One path that a call touches, found on disk. */
export interface LocatedPath {
  readonly given: string;
  readonly real: string;
  readonly access: "read" | "write";
  /** Where it lies: `readable` is a skill's folder. */
  readonly place: "workspace" | "writable" | "readable" | "outside";
  /** What rules compare: the path from the workspace where it lies in it, the absolute one, the one from `~/`. */
  readonly names: readonly string[];
  /** The disk makes no difference between capitals and small letters. */
  readonly anyCase?: boolean;
  /**
   * The protected folder that it lies in; `<config>` and `<data>` are ones wherever they lie, `~/.bashrc` and the like
   * where the home folder lies in a root. `<windows-name>`: Windows reads the name otherwise, so that it may lie in any.
   */
  readonly protectedFolder: string | null;
  /** `.env` and key files, what lies in `~/.ssh`, its like and `<config>`: a read asks each time. */
  readonly secret: boolean;
  /** What one answer opens: the folder that the path lies in, or the path itself where it is a folder. */
  readonly folder: string;
}
/** What decides where a path lies. Folders need not exist; `readableFolders` are real paths, the others need not be. */
export interface Territory {
  readonly workspace: string;
  readonly writableRoots: readonly string[];
  readonly readableFolders: readonly string[];
  readonly config: string;
  readonly data: string;
  readonly home: string;
  /** Other folders whose files count as the user's own: what lies there is trusted as it stands. */
  readonly userFolders?: readonly string[];
  /** Files and folders that are protected by their path where a root holds them (`userPlaces`). */
  readonly userPlaces?: readonly string[];
}

/**
 * Finds the paths of a call: relative ones from the workspace, `~/` from the home folder, links resolved, for files
 * that do not exist yet too. `isFolder` says of an existing path whether it is a folder.
 */
export function locatePaths(
  touches: { readonly reads?: readonly string[]; readonly writes?: readonly string[] },
  territory: Territory,
  isFolder: (real: string) => boolean,
  platform: NodeJS.Platform = process.platform,
): LocatedPath[] {
  const land = {
    workspace: realPath(territory.workspace),
    writable: territory.writableRoots.map((folder) => realPath(folder)),
    readable: territory.readableFolders,
    config: realPath(territory.config),
    data: realPath(territory.data),
    userFolders: (territory.userFolders ?? []).map((folder) => realPath(folder)),
    keys: keyFolders(territory).map((folder) => realPath(folder)),
    home: realPath(territory.home),
  };
  const roots = [land.workspace, ...land.writable];
  const linked = linkedFolders(roots);
  const locate = (given: string, access: "read" | "write"): LocatedPath => {
    const lexical = absolutePath(given, land.workspace, territory.home);
    const real = realPath(lexical);
    const isIn = (folder: string): boolean => isInside(folder, real);
    const root = roots.find(isIn);
    // The workspace itself may lie on another machine; what counts is what the call adds to it.
    const below = root === undefined ? real : path.relative(root, real);
    const doubtful = platform === "win32" && (isDoubtfulOnWindows(given) || isDoubtfulOnWindows(below));
    const place = doubtful
      ? "outside"
      : isIn(land.workspace)
        ? "workspace"
        : root !== undefined
          ? "writable"
          : land.readable.some(isIn)
            ? "readable"
            : "outside";
    return {
      given,
      real,
      access,
      place,
      names: ruleNames(real, land),
      anyCase: platform === "win32" || platform === "darwin",
      protectedFolder: doubtful
        ? "<windows-name>"
        : isIn(land.config) || land.userFolders.some(isIn)
          ? "<config>"
          : isIn(land.data)
            ? "<data>"
            : (protectedBy(lexical, real, roots, linked) ??
              userPlaceOf([real, path.normalize(lexical)], roots, territory.userPlaces ?? [], land.home)),
      // A skill that lies in `<config>` is there to be read.
      secret:
        doubtful ||
        isSecretName(path.basename(real)) ||
        land.keys.some(isIn) ||
        (isIn(land.config) && place !== "readable"),
      folder: isFolder(real) ? real : path.dirname(real),
    };
  };
  return [
    ...(touches.reads ?? []).map((given) => locate(given, "read")),
    ...(touches.writes ?? []).map((given) => locate(given, "write")),
  ];
}

/** `~/x` from the home folder, a relative path from the workspace. */
export function absolutePath(given: string, workspace: string, home: string = os.homedir()): string {
  const from = fromHome(given, home);
  // Not joined: `link/..` is left to the walk along the real links.
  return path.isAbsolute(from) ? from : `${workspace}${path.sep}${from}`;
}

const slashed = (text: string): string => text.replaceAll(path.sep, "/");
function ruleNames(real: string, land: { workspace: string; home: string }): string[] {
  const names = [slashed(real)];
  if (isInside(land.workspace, real)) names.unshift(slashed(path.relative(land.workspace, real)) || ".");
  if (isInside(land.home, real)) names.push(`~/${slashed(path.relative(land.home, real))}`);
  return names;
}
/** Protected names that are links, with the folders behind them: those are as protected as the names. */
const linkedFolders = (roots: readonly string[]): { name: string; target: string }[] =>
  roots.flatMap((root) =>
    protectedFolders
      .map((name) => ({ name, link: path.join(root, name) }))
      .filter(({ link }) => linkTargetOrNone(link) !== undefined)
      .map(({ name, link }) => ({ name, target: realOrGiven(link) })),
  );
/** The protected name that a path lies in: on its real way, on the way as it was given, or behind a linked one. */
function protectedBy(
  lexical: string,
  real: string,
  roots: readonly string[],
  linked: ReturnType<typeof linkedFolders>,
): string | null {
  for (const root of roots) {
    const name = protectedName(root, real) ?? protectedName(root, path.normalize(lexical));
    if (name !== undefined) return name;
  }
  return linked.find(({ target }) => isInside(target, real))?.name ?? null;
}
/** The user's own place below a root that one of the ways to a file lies in, as it is written from `~/`. */
function userPlaceOf(
  ways: readonly string[],
  roots: readonly string[],
  places: readonly string[],
  home: string,
): string | null {
  const folded = ways.map(comparablePath);
  const place = places.find(
    (one) =>
      roots.some((root) => root !== one && isInside(root, one)) &&
      folded.some((way) => isInside(comparablePath(one), way)),
  );
  if (place === undefined) return null;
  return isInside(home, place) ? `~/${slashed(path.relative(home, place))}` : slashed(place);
}
/** The names below the disk's top as the loosest disk compares them. */
function comparablePath(file: string): string {
  const { root } = path.parse(file);
  return root + file.slice(root.length).split(path.sep).map(comparableName).join(path.sep);
}
function protectedName(root: string, file: string): string | undefined {
  if (!isInside(root, file)) return undefined;
  const names = path.relative(root, file).split(path.sep).map(comparableName);
  const last = names.at(-1);
  return (
    protectedFolders.find((folder) => names.includes(folder)) ?? protectedFiles.find((name) => name === last)
  );
}
