import path from "node:path";
import { linkTargetOrNone } from "../kit/files.ts";
import type { FolderNames } from "../kit/watch.ts";
import type { Sources } from "./sources.ts";

/** As Linux does (path_resolution(7)). */
const mostLinks = 40;

/**
 * The folders and the names in them whose changes may change what these files say; some may not exist yet. A link is
 * followed, hop by hop: the one that is changed may be any of them, also a folder on the way.
 */
export function watchedPlaces(files: readonly string[]): FolderNames[] {
  const places = new Map<string, Set<string>>();
  const seen = new Set<string>();
  const add = (file: string): void => {
    const folder = path.dirname(file);
    places.set(folder, (places.get(folder) ?? new Set()).add(path.basename(file)));
  };
  const follow = (file: string, links: number): void => {
    if (seen.has(file) || links > mostLinks) return;
    seen.add(file);
    add(file);
    for (let at = file; at !== path.dirname(at); at = path.dirname(at)) {
      const target = linkTargetOrNone(at);
      if (target === undefined) continue;
      add(at);
      follow(path.join(path.resolve(path.dirname(at), target), path.relative(at, file)), links + 1);
    }
  };
  for (const file of files) follow(file, 0);
  return [...places].map(([folder, names]) => ({ folder, names }));
}

/** Every file of spec 2's table, whether it exists or not. */
export const sourceFiles = (sources: Sources): string[] => [
  sources.settings,
  ...sources.mcp.map(({ file }) => file),
  ...sources.toml.user,
  ...sources.toml.workspace,
  sources.dropstone.user,
  ...sources.dropstone.workspace,
  sources.keybinds,
  ...sources.instructions.map(({ file }) => file),
];
