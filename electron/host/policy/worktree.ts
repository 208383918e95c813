import path from "node:path";
import { findProjectRoot } from "../config/project-root.ts";
import { linkedFolder } from "./git-folder.ts";

/**
 * The same folder in the main working tree, where a workspace lies in a git worktree that the repository itself knows;
 * undefined elsewhere, and in a submodule. Real paths.
 */
export function sameFolderInMainTree(workspace: string): string | undefined {
  const root = findProjectRoot(workspace);
  const repository = linkedFolder(path.join(root, ".git"), root);
  if (repository === undefined || path.basename(repository) !== ".git") return undefined;
  return path.join(path.dirname(repository), path.relative(root, workspace));
}
