import path from "node:path";
import { isInside } from "../kit/files.ts";
import { realOrGiven } from "./real-or-given.ts";
import { isSecretName } from "../kit/path-names.ts";
import type { AppPaths } from "./types.ts";
import { keyFolders } from "./user-folders.ts";

/**
 * Tells which file stands behind a path of the workspace, or why it must not be read: a link that leads out of the
 * project or to a secret may have been put there by a command or an update, and its text would reach the model or be
 * taken for the workspace's own.
 */
export function workspaceFiles(
  projectRoot: string,
  paths: AppPaths,
): (file: string) => { readonly real: string; readonly refused?: string } {
  const secret = [paths.config, paths.data, ...keyFolders(paths)]
    // A workspace may lie in such a folder; then it is no secret to itself.
    .map(realOrGiven)
    .filter((folder) => !isInside(folder, projectRoot));
  return (file) => {
    const real = realOrGiven(file);
    if (real === file) return { real };
    if (!isInside(projectRoot, real)) return { real, refused: `leads out of the project, to ${real}` };
    const inSecret = secret.some((folder) => isInside(folder, real));
    const inGit = path.relative(projectRoot, real).split(path.sep).includes(".git");
    return inSecret || inGit || isSecretName(path.basename(real))
      ? { real, refused: `leads to a secret, to ${real}` }
      : { real };
  };
}
