import type { SkillRootRow } from "../../../shared/skills.ts";
import { rootSwitch, type SkillRoot } from "./roots.ts";
import type { RootScan } from "./scan.ts";

/**
 * The table of roots as settings show it: one row a source, its folders nearest first (spec 3, Roots). Pure.
 * A folder that a source has by several names is shown by the first.
 * @param roots Also those that are switched off.
 * @param loaded Skills that load, by the path of their root.
 */
export function rootRows(
  roots: readonly SkillRoot[],
  scans: readonly RootScan[],
  loaded: ReadonlyMap<string, number>,
  isOn: (id: string) => boolean,
): readonly SkillRootRow[] {
  const scanOf = new Map(scans.map((scan) => [scan.root.path, scan]));
  const bySource = new Map<string, SkillRoot[]>();
  for (const root of roots) bySource.set(root.source, [...(bySource.get(root.source) ?? []), root]);
  return [...bySource].flatMap(([source, folders]) => {
    const [first] = folders;
    if (!first) return [];
    const id = rootSwitch(source);
    return {
      id,
      source,
      scope: first.scope,
      rank: first.rank,
      enabled: isOn(id),
      folders: eachOnce(folders, scanOf).map((root) => ({
        path: root.path,
        exists: scanOf.get(root.path)?.exists ?? false,
        count: loaded.get(root.path) ?? 0,
      })),
    };
  });
}
function eachOnce(
  folders: readonly SkillRoot[],
  scanOf: ReadonlyMap<string, RootScan>,
): readonly SkillRoot[] {
  const seen = new Set<string>();
  return folders.filter((root) => {
    const real = scanOf.get(root.path)?.real || root.path;
    return !seen.has(real) && seen.add(real);
  });
}
