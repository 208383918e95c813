import { skillStates, type SkillRow, type SkillState } from "../../shared/extension-rows.ts";

/** What a row is listed under: a skill that is on in a folder nobody trusts is loaded as text and shown as untrusted. */
export const skillStatus = ({ state, trusted }: Pick<SkillRow, "state" | "trusted">): SkillState =>
  state === "on" && !trusted ? "untrusted" : state;

/** A skill that its plugin's trust holds back is switched on all the same. */
export const isSwitchedOn = ({ state }: Pick<SkillRow, "state">): boolean =>
  state === "on" || state === "untrusted";
/** What cannot load, is denied by a rule or stands behind another one has nothing to switch. */
export const canSwitch = ({ state }: Pick<SkillRow, "state">): boolean =>
  state === "on" || state === "off" || state === "untrusted";

export interface SkillFilter {
  readonly text: string;
  readonly status: SkillState | "all";
}
export interface SkillGroup {
  readonly scope: string;
  readonly rows: readonly SkillRow[];
  /** Where they come from, each once; what the scope says already is left out. */
  readonly sources: readonly string[];
}

/** How many rows each status has, those that occur. */
export const statusCounts = (rows: readonly SkillRow[]): { status: SkillState; count: number }[] =>
  skillStates
    .map((status) => ({ status, count: rows.filter((row) => skillStatus(row) === status).length }))
    .filter(({ count }) => count > 0);

const fold = (text: string): string => text.normalize("NFKC").toLowerCase();
const scopes = ["session", "workspace", "user", "plugin", "bundled"];
const place = (scope: string): number => {
  const at = scopes.indexOf(scope);
  return at === -1 ? scopes.length : at;
};

/** The rows that fit, by scope: the nearest first, what the app does not know last. */
export function skillGroups(rows: readonly SkillRow[], { text, status }: SkillFilter): SkillGroup[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  const fits = (row: SkillRow): boolean =>
    (status === "all" || skillStatus(row) === status) &&
    words.every((word) => fold(`${row.name} ${row.description}`).includes(word));
  const groups = new Map<string, SkillRow[]>();
  for (const row of rows.filter(fits)) groups.set(row.scope, [...(groups.get(row.scope) ?? []), row]);
  return [...groups]
    .map(([scope, own]) => {
      const sources = new Set(own.map(({ source }) => source));
      sources.delete(scope);
      return { scope, rows: own, sources: [...sources] };
    })
    .sort((a, b) => place(a.scope) - place(b.scope));
}
