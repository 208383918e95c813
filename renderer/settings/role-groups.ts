import type { RoleRow } from "../../shared/extension-rows.ts";

export interface RoleGroup {
  readonly source: string;
  readonly rows: readonly RoleRow[];
}
/** The workspace's before the user's, what ships with the app last. */
const place = (source: string): number => {
  if (source.startsWith("project")) return 0;
  if (source.startsWith("user")) return 1;
  return source === "bundled" ? 3 : 2;
};

/** Roles by where they come from. */
export function roleGroups(rows: readonly RoleRow[]): RoleGroup[] {
  const sources = [...new Set(rows.map(({ source }) => source))];
  return sources
    .map((source) => ({ source, rows: rows.filter((row) => row.source === source) }))
    .sort((a, b) => place(a.source) - place(b.source));
}
