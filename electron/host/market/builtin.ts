/// <reference types="vite/types/importMeta.d.ts" />
import { NacreError } from "../../../shared/errors.ts";
import { parseCatalog } from "./catalog.ts";
import type { CatalogEntry, EntryFile } from "./types.ts";

/** The built-in catalog and what it brings, as text in this very module: it needs no file beside the built app. */
const texts: Readonly<Record<string, string>> = import.meta.glob<string>(
  ["./builtin.json", "./skills/**/*"],
  {
    query: "?raw",
    import: "default",
    eager: true,
  },
);
export const builtinSource = { id: "builtin", file: "builtin.json", trust: "verified" } as const;

export function builtinEntries(): CatalogEntry[] {
  const { entries, diagnostics } = parseCatalog(JSON.parse(texts["./builtin.json"] ?? "null"), builtinSource);
  // Its own file is checked by a test; what is wrong in it never reaches a user.
  if (diagnostics[0]) throw new NacreError("internal", diagnostics[0].message);
  return entries;
}

/** The files of a folder beside the catalog, sorted by path. */
export function builtinFiles(folder: string): EntryFile[] {
  const prefix = `./${folder}/`;
  return Object.keys(texts)
    .filter((name) => name.startsWith(prefix))
    .sort()
    .map((name) => ({ path: name.slice(prefix.length), text: texts[name] ?? "" }));
}
