import type { InstallPlan, Receipt } from "../../../shared/market.ts";
import { hashesOf } from "./place.ts";
import { entryHash } from "./placed.ts";
import type { Placement } from "./plan.ts";
import type { CatalogEntry } from "./types.ts";

/** The record of an install: where every file lies with its hash, and what was put into shared files. */
export function receiptOf(
  { id, kind, name, scope }: Pick<InstallPlan, "id" | "kind" | "name" | "scope">,
  { folder, entry }: Placement,
  { source, version }: Pick<CatalogEntry, "source" | "version">,
  installedAt: string,
): Receipt {
  return {
    v: 1,
    id,
    kind,
    name,
    scope,
    files: folder ? hashesOf(folder) : [],
    entries: entry ? [{ path: entry.file, pointer: entry.pointer, sha256: entryHash(entry.value) }] : [],
    source,
    ...(version === undefined ? {} : { version }),
    installedAt,
  };
}
