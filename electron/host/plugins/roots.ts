import fs from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { NacreError, toErrorValue } from "../../../shared/errors.ts";
import type { AppPaths } from "../config/types.ts";
import { isInside, lookAt, realPath, systemCode } from "../kit/files.ts";

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
/**
 * Whose a plugin in a root is, by its real path (spec 2, Trust): what a link of the workspace reaches under `<config>`,
 * `<cst>` or another root of the user's is the user's own; what a link of the user's reaches in the workspace, where its
 * agent writes, is the workspace's.
 */
export function scopeOfPlugin(
  real: string,
  { scope }: PluginRoot,
  workspace: string,
  paths: AppPaths,
): PluginRoot["scope"] {
  const users = [paths.config, paths.cst, path.join(paths.home, ".config", "kairox", "plugins")];
  if (users.some((folder) => isInside(realPath(folder), real))) return "user";
  return isInside(workspace, real) ? "workspace" : scope;
}
/** The folders in a root with their real paths, in byte order; links are followed. */
export function pluginFolders(
  root: string,
  report: (diagnostic: Diagnostic) => void,
): { folder: string; real: string }[] {
  const tell = (at: string, what: string): void =>
    report({
      code: "plugins-unreadable",
      severity: "warning",
      message: what,
      path: at,
      fix: "make it readable",
    });
  let names: string[];
  try {
    names = fs.readdirSync(root).sort();
  } catch (error) {
    const code = systemCode(error);
    const missing = code === "ENOENT" || (code === "ENOTDIR" && !isFile(root));
    if (!missing) tell(root, `the folder of plugins cannot be read: ${code ?? String(error)}`);
    return [];
  }
  return names.flatMap((name) => {
    const folder = path.join(root, name);
    try {
      const real = realPath(folder);
      return lookAt(real)?.isDirectory() ? [{ folder, real }] : [];
    } catch (error) {
      // One link in a circle or one closed folder hides no other plugin.
      tell(folder, toErrorValue(error).message);
      return [];
    }
  });
}
const isFile = (at: string): boolean => {
  try {
    return lookAt(realPath(at))?.isFile() ?? false;
  } catch (error) {
    if (error instanceof NacreError) return false;
    throw error;
  }
};
