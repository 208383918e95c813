import type { SkillRow } from "../../../shared/extension-rows.ts";
import { keyOf, skillFilters, skillStatuses, type SkillStatus } from "./skill-status.ts";

interface SkillFilter {
  readonly text: string;
  readonly status: SkillStatus | "all";
}
export interface SkillGroup {
  readonly scope: string;
  readonly rows: readonly SkillRow[];
  /** Where they come from, each once: plugins by their names; what the scope says already is left out. */
  readonly sources: readonly string[];
}
/** The rows of the list, made once for each list that the host sends, asked with each key. */
export interface SkillIndex {
  /** How many rows are found under each, those that occur. What is on may ask or be untrusted too, and counts there again. */
  readonly counts: readonly { readonly status: SkillStatus; readonly count: number }[];
  readonly byKey: (key: string) => SkillRow | undefined;
  /** Who has the name instead of a shadowed row. */
  readonly winnerOf: (row: SkillRow) => SkillRow | undefined;
  /** The rows that fit, by scope: the nearest first, what the app does not know last. One pass, whatever is asked. */
  readonly groups: (filter: SkillFilter) => readonly SkillGroup[];
}

const fold = (text: string): string => text.normalize("NFKC").toLowerCase();
const searched = ({ name, description, path, source, diagnostics }: SkillRow): string =>
  fold([name, description, path, source, ...diagnostics.map(({ message }) => message)].join("\n"));
const originOf = ({ name, scope, source }: SkillRow): string =>
  scope === "plugin" ? name.slice(0, Math.max(0, name.indexOf(":"))) || source : source;
const scopes = ["session", "workspace", "user", "plugin", "bundled"];
const place = (scope: string): number => {
  const at = scopes.indexOf(scope);
  return at === -1 ? scopes.length : at;
};
/** The value of `make`, made when it is first asked for. */
const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

export function skillIndex(rows: readonly SkillRow[]): SkillIndex {
  const filters = rows.map(skillFilters);
  const counts = new Map<SkillStatus, number>();
  for (const status of filters.flat()) counts.set(status, (counts.get(status) ?? 0) + 1);
  const texts = once(() => rows.map(searched));
  const keys = once(() => new Map(rows.map((row) => [keyOf(row), row])));
  // `shadowedBy` is the winner's path, or its id where it is no file.
  const places = once(
    () =>
      new Map(
        rows.flatMap(
          (row) =>
            [
              [row.id, row],
              [row.path, row],
            ] as const,
        ),
      ),
  );

  return {
    counts: skillStatuses
      .map((status) => ({ status, count: counts.get(status) ?? 0 }))
      .filter(({ count }) => count > 0),
    byKey: (key) => keys().get(key),
    winnerOf: ({ shadowedBy }) => (shadowedBy === undefined ? undefined : places().get(shadowedBy)),
    groups({ text, status }) {
      const words = fold(text).split(/\s+/).filter(Boolean);
      const own = words.length === 0 ? [] : texts();
      const groups = new Map<string, { rows: SkillRow[]; sources: Set<string> }>();
      rows.forEach((row, index) => {
        if (status !== "all" && !filters[index]?.includes(status)) return;
        if (!words.every((word) => own[index]?.includes(word))) return;
        let group = groups.get(row.scope);
        if (!group) groups.set(row.scope, (group = { rows: [], sources: new Set() }));
        group.rows.push(row);
        const origin = originOf(row);
        if (origin !== row.scope) group.sources.add(origin);
      });
      return [...groups]
        .map(([scope, group]) => ({ scope, rows: group.rows, sources: [...group.sources] }))
        .sort((a, b) => place(a.scope) - place(b.scope));
    },
  };
}
