import path from "node:path";
import { isFolder, linkTargetOrNone, lookOrNone, statOrNone } from "./files.ts";

/** One entry of a folder that a change is told by: a link on the way, a folder above, the next that is missing. */
export interface Waypoint {
  /** Real path. */
  readonly at: string;
  readonly name: string;
}
/** How a path leads to a folder, link by link. */
export interface Way {
  /** Every link that is followed. */
  readonly links: readonly Waypoint[];
  /** The folder's real path; undefined where there is none. */
  readonly real: string | undefined;
  /** Which folder that is, whatever its name; empty for none. */
  readonly identity: string;
  /** Where it is missing: the first entry that is not there or is no folder. */
  readonly missing: Waypoint | undefined;
}

/** As Linux does (path_resolution(7)). */
const mostLinks = 40;

/**
 * Walks a path as the kernel would. What cannot be looked at counts as missing.
 * @param known Ways of folders above, of this moment: thousands of folders share them.
 */
export function wayTo(folder: string, known: Map<string, Way> = new Map()): Way {
  const seen = known.get(folder);
  if (seen) return seen;
  const parent = path.dirname(folder);
  const way =
    parent === folder
      ? { links: [], real: folder, identity: folderIdentity(folder), missing: undefined }
      : follow(wayTo(parent, known), [path.basename(folder)]);
  known.set(folder, way);
  return way;
}
function follow(start: Way, names: readonly string[]): Way {
  let { real, identity } = start;
  const links = [...start.links];
  const rest = names.toReversed();
  while (rest.length > 0 && real !== undefined) {
    const name = rest.pop() ?? "";
    if (name === "" || name === ".") continue;
    if (name === "..") {
      real = path.dirname(real);
      identity = folderIdentity(real);
      continue;
    }
    const next = path.join(real, name);
    const look = lookOrNone(next);
    if (look?.isDirectory()) {
      real = next;
      identity = `${look.dev}:${look.ino}`;
      continue;
    }
    const target = look?.isSymbolicLink() ? linkTargetOrNone(next) : undefined;
    if (target === undefined || links.length >= mostLinks)
      return { links, real: undefined, identity: "", missing: { at: real, name } };
    links.push({ at: real, name });
    const root = path.parse(target).root;
    if (root !== "") {
      real = path.resolve(real, root);
      identity = folderIdentity(real);
    }
    rest.push(...target.slice(root.length).split(/[\\/]/).toReversed());
  }
  return { links, real, identity, missing: real === undefined ? start.missing : undefined };
}

/** Whether both lead to the same folder by the same links, or miss it at the same place. */
export function isSameWay(a: Way, b: Way): boolean {
  return (
    a.real === b.real &&
    a.identity === b.identity &&
    isSamePoint(a.missing, b.missing) &&
    a.links.length === b.links.length &&
    a.links.every((link, index) => isSamePoint(link, b.links[index]))
  );
}
const isSamePoint = (a: Waypoint | undefined, b: Waypoint | undefined): boolean =>
  a?.at === b?.at && a?.name === b?.name;

/** Whether a way of a moment ago still ends where it did; what lies above is not looked at. */
export const endsAsBefore = ({ real, identity, missing }: Way): boolean =>
  real === undefined
    ? missing === undefined || !isFolder(path.join(missing.at, missing.name))
    : folderIdentity(real) === identity;
const folderIdentity = (folder: string): string => {
  const stat = statOrNone(folder);
  return stat?.isDirectory() ? `${stat.dev}:${stat.ino}` : "";
};
