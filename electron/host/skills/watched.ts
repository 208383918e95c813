import path from "node:path";
import type { WatchedFolder } from "../kit/watch.ts";
import { skillFileName } from "./found-skill.ts";
import type { RootScan } from "./scan.ts";

/**
 * Where a change makes another set of skills: each root, there or not, each folder that may become a skill, and of each
 * skill its own file alone, however many others lie beside it.
 */
export function watchedFolders(scans: readonly RootScan[]): readonly WatchedFolder[] {
  const folders: WatchedFolder[] = [];
  for (const { root, found, others } of scans) {
    folders.push(root.path, ...others);
    for (const { form, folder, linkedFile } of found) {
      if (form === "directory") folders.push({ folder, names: skillFile });
      if (linkedFile !== undefined)
        folders.push({ folder: path.dirname(linkedFile), names: new Set([path.basename(linkedFile)]) });
    }
  }
  return folders;
}
const skillFile: ReadonlySet<string> = new Set([skillFileName]);
