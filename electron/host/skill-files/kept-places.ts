import { isInside, realPath } from "../kit/files.ts";
import type { AppPaths } from "../config/types.ts";
import { pluginRoots } from "../plugins/roots.ts";
import type { SkillRoot } from "../skills/roots.ts";

/** Why what lies at a real path is never written here, whatever way led to it; undefined where it may be. */
export type KeptPlaces = (real: string) => string | undefined;

/** Hermit's folder, those of plugins and of the app's own skills, also what is switched off. Looked at when it is asked. */
export const keptPlaces =
  (
    { workspace, paths }: { readonly workspace: string; readonly paths: AppPaths },
    roots: () => readonly Pick<SkillRoot, "path" | "scope">[],
  ): KeptPlaces =>
  (real) => {
    const holds = (folders: readonly string[]): boolean =>
      folders.some((folder) => isInside(realPath(folder), real));
    const ofScope = (scope: string): readonly string[] =>
      roots().flatMap((root) => (root.scope === scope ? root.path : []));
    if (holds([paths.cst]))
      return `${real} is Hermit's, whose files are read here and never written: copy it to a skill of your own`;
    if (holds([...pluginRoots(workspace, paths).map(({ folder }) => folder), ...ofScope("plugin")]))
      return `${real} belongs to a plugin, whose files count as they were approved: copy it to a skill of your own`;
    if (holds(ofScope("bundled")))
      return `${real} comes with the app: make a skill of the same name to replace it`;
    return undefined;
  };
