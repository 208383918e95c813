import path from "node:path";
import type { AppPaths } from "../config/types.ts";

/** A folder of role files, best first (spec 7). */
export interface RoleRoot {
  readonly source: string;
  /** The `owner` of ids (spec 1): the source, `~1` for its second folder. */
  readonly owner: string;
  readonly inWorkspace: boolean;
  readonly folder: string;
}

type Place = Omit<RoleRoot, "owner">;
/** Every folder that may hold roles of a workspace, whether it exists or not. */
export function roleRoots(workspace: string, paths: AppPaths): readonly RoleRoot[] {
  const inWorkspace = (source: string, ...names: string[]): Place => ({
    source,
    inWorkspace: true,
    folder: path.join(workspace, ...names),
  });
  const inHome = (source: string, ...names: string[]): Place => ({
    source,
    inWorkspace: false,
    folder: path.join(paths.home, ...names),
  });
  const places: readonly Place[] = [
    inWorkspace("project-nacre", ".agent", "agents"),
    inWorkspace("project-claude", ".claude", "agents"),
    inWorkspace("project-kairox", ".kairox", "agents"),
    inWorkspace("project-dropstone", ".dropstone", "agents"),
    inWorkspace("project-dropstone", ".dropstone", "agent"),
    { source: "user-nacre", inWorkspace: false, folder: path.join(paths.config, "agents") },
    { source: "user-cst-agent", inWorkspace: false, folder: path.join(paths.cst, "agents") },
    inHome("user-claude", ".claude", "agents"),
    inHome("user-kairox", ".config", "kairox", "agents"),
    inHome("user-dropstone", ".config", "dropstone", "agents"),
    inHome("user-dropstone", ".config", "dropstone", "agent"),
  ];
  const counts = new Map<string, number>();
  return places.map((place) => {
    const before = counts.get(place.source) ?? 0;
    counts.set(place.source, before + 1);
    return { ...place, owner: before === 0 ? place.source : `${place.source}~${before}` };
  });
}
