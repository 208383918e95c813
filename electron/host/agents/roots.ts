import path from "node:path";
import type { AppPaths } from "../config/types.ts";

/** A folder of role files, best first (spec 7). */
export interface RoleRoot {
  readonly source: string;
  readonly folder: string;
}

/** Every folder that may hold roles of a workspace, whether it exists or not. */
export function roleRoots(workspace: string, paths: AppPaths): readonly RoleRoot[] {
  const inWorkspace = (source: string, ...names: string[]): RoleRoot => ({
    source,
    folder: path.join(workspace, ...names),
  });
  const inHome = (source: string, ...names: string[]): RoleRoot => ({
    source,
    folder: path.join(paths.home, ...names),
  });
  return [
    inWorkspace("project-nacre", ".agent", "agents"),
    inWorkspace("project-claude", ".claude", "agents"),
    inWorkspace("project-kairox", ".kairox", "agents"),
    inWorkspace("project-dropstone", ".dropstone", "agents"),
    inWorkspace("project-dropstone", ".dropstone", "agent"),
    { source: "user-nacre", folder: path.join(paths.config, "agents") },
    { source: "user-cst-agent", folder: path.join(paths.cst, "agents") },
    inHome("user-claude", ".claude", "agents"),
    inHome("user-kairox", ".config", "kairox", "agents"),
    inHome("user-dropstone", ".config", "dropstone", "agents"),
  ];
}
