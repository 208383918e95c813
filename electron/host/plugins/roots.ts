import fs from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { AppPaths } from "../config/types.ts";
import { lookAt, realPath, systemCode } from "../kit/files.ts";

export interface PluginRoot {
  readonly scope: "user" | "workspace";
  readonly folder: string;
}

/** Every folder that may hold plugins, best first (spec 5). A folder of the user's that the workspace reaches too stays the user's. */
export function pluginRoots(workspace: string, paths: AppPaths): readonly PluginRoot[] {
  const user = [
    path.join(paths.config, "plugins"),
    path.join(paths.cst, "plugins"),
    path.join(paths.home, ".config", "kairox", "plugins"),
  ];
  const own = new Set(user.map((folder) => realPath(folder)));
  const inWorkspace = [
    path.join(workspace, ".agent", "plugins"),
    path.join(workspace, ".kairox", "plugins"),
  ].filter((folder) => !own.has(realPath(folder)));
  return [
    ...inWorkspace.map((folder) => ({ scope: "workspace" as const, folder })),
    ...user.map((folder) => ({ scope: "user" as const, folder })),
  ];
}
/** The folders in a root, in byte order; links are followed. */
export function pluginFolders({ folder }: PluginRoot, report: (diagnostic: Diagnostic) => void): string[] {
  let names: string[];
  try {
    names = fs.readdirSync(folder).sort();
  } catch (error) {
    const code = systemCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR")
      report({
        code: "plugins-unreadable",
        severity: "warning",
        message: `cannot read the folder of plugins: ${code ?? String(error)}`,
        path: folder,
        fix: "make the folder readable",
      });
    return [];
  }
  return names
    .map((name) => path.join(folder, name))
    .filter((one) => lookAt(realPath(one))?.isDirectory() ?? false);
}
