import path from "node:path";
import type { Receipt } from "../../shared/market.ts";
import type { DeclarationChange } from "../../shared/workspace.ts";
import { realOrGiven } from "./config/real-or-given.ts";
import { isInside } from "./kit/files.ts";
import { currentText } from "./policy/approved-copies.ts";
import type { Fingerprint } from "./policy/digest.ts";

/** More than a person looks at; the last entry says how many are left out. */
const mostChanges = 100;

/** The files of plugins as the user's installs have placed them: hash by real path. */
export type InstalledFiles = ReadonlyMap<string, string>;
/** Those of one plugin: hash by name, `/` on every platform. */
type PlacedFiles = ReadonlyMap<string, string>;

export const installedFiles = (receipts: readonly Receipt[]): InstalledFiles =>
  new Map(
    receipts
      .filter(({ kind, scope }) => kind === "plugin" && scope === "user")
      .flatMap(({ files }) => files)
      .map(({ path: file, sha256 }) => [
        path.join(realOrGiven(path.dirname(file)), path.basename(file)),
        sha256,
      ]),
  );
/** What installs have placed in this folder; undefined where they have placed nothing. */
export function placedIn(folder: string, installed: InstalledFiles): PlacedFiles | undefined {
  if (installed.size === 0) return undefined;
  const real = realOrGiven(folder);
  const placed = [...installed].flatMap(([file, hash]) =>
    isInside(real, file) ? [[path.relative(real, file).replaceAll(path.sep, "/"), hash] as const] : [],
  );
  return placed.length === 0 ? undefined : new Map(placed);
}
/** Whether the folder holds what was placed, all of it and nothing else. */
export const isAsPlaced = (placed: PlacedFiles, now: Fingerprint): boolean =>
  placedChanges(placed, now).length === 0;

/** What is different from what was placed. Of that the hashes are known alone; of what stands there now, the text. */
export function placedChanges(placed: PlacedFiles, { files }: Fingerprint): DeclarationChange[] {
  const current = new Map(files.map((file) => [file.name, file]));
  const names = [...new Set([...placed.keys(), ...current.keys()])].sort();
  const changes = names.flatMap((what): DeclarationChange[] => {
    const [was, is] = [placed.get(what), current.get(what)];
    if (was === is?.hash) return [];
    const before = was === undefined ? null : told(was);
    return [{ what, before, after: is ? (currentText(is) ?? told(is.hash)) : null }];
  });
  if (changes.length <= mostChanges) return changes;
  const left = changes.length - mostChanges;
  return [...changes.slice(0, mostChanges), { what: "…", before: null, after: `+${left}` }];
}
const told = (hash: string): string =>
  hash.startsWith("link: ") ? `→ ${hash.slice("link: ".length)}` : `SHA-256 ${hash.slice(0, 16)}…`;
