import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { SkillRow, SkillState } from "../../../shared/extension-rows.ts";
import type { Rule } from "../config/permission.ts";
import { lastMatch } from "../policy/rules.ts";
import type { SkillCandidate, SkillNeeds } from "./types.ts";
import type { Writable } from "../kit/writable.ts";
import { winnersOf } from "./winners.ts";

/** One skill, loadable or not, as the catalog, the settings and the command line all see it. */
export interface SkillEntry {
  readonly id: string;
  /** Qualified: a plugin's is `plugin:name`. */
  readonly name: string;
  readonly description: string;
  readonly source: string;
  readonly scope: string;
  /** Empty for a skill that is no file. */
  readonly path: string;
  /** `workspace`: as far as the workspace is trusted. */
  readonly trusted: boolean | "workspace";
  /** False: its file is no skill; the diagnostics say why. */
  readonly valid: boolean;
  /** False: its plugin waits for trust. */
  readonly approved: boolean;
  /** False: its plugin is switched off. */
  readonly enabled: boolean;
  readonly hiddenFromModel: boolean;
  readonly userInvocable: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly rank: number;
  /** Bytes and ms since 1970; absent for what is no file. */
  readonly size?: number;
  readonly changedAt?: number;
  readonly needs?: SkillNeeds | undefined;
  readonly sessionId?: string;
  /** What its own provider is asked for it by; absent where it does not load. */
  readonly candidate?: SkillCandidate | undefined;
}
export interface ResolvedSkill {
  readonly entry: SkillEntry;
  readonly state: SkillState;
  /** Who has the name instead, for a shadowed one. */
  readonly winner: SkillEntry | undefined;
  /** The rule that denies it or asks. */
  readonly rule: Rule | undefined;
  /** Wins its name because a person said so. */
  readonly pinned: boolean;
}
/** What a person has said of skills, by their ids. */
export interface SkillChoices {
  readonly isOn: (id: string) => boolean;
  /** Makes it win its name whatever its rank (spec 1). */
  readonly isPinned: (id: string) => boolean;
}

/** The switch by which a skill wins its name; off where nobody has set it. */
export const pinSwitch = (id: string): string => `pin:${id}`;
/** The spellings of a name that permission patterns match: `docs:pdf` is `pdf` too. */
export const ruleNames = (name: string): readonly string[] => {
  const colon = name.indexOf(":");
  return colon < 0 ? [name] : [name, name.slice(colon + 1)];
};
/** The plugin that brings a skill; undefined for any other. */
export const pluginOf = (name: string): string | undefined =>
  name.includes(":") ? name.slice(0, name.indexOf(":")) : undefined;
/** May win a name: it loads, its plugin may speak, nobody switched it off. */
export const admits = (entry: SkillEntry, isOn: SkillChoices["isOn"]): boolean =>
  entry.valid && entry.approved && entry.enabled && isOn(entry.id);

/**
 * States of all skills, in the order given (best first). Pure.
 * @param sessionId The conversation that asks: its own skills count, another's are not there. Without one, the skills
 * of every conversation are listed and take no name from anybody.
 */
export function resolveSkills(
  entries: readonly SkillEntry[],
  choices: SkillChoices,
  rules: readonly Rule[],
  sessionId?: string,
): readonly ResolvedSkill[] {
  const present =
    sessionId === undefined
      ? entries
      : entries.filter((entry) => entry.sessionId === undefined || entry.sessionId === sessionId);
  const contest =
    sessionId === undefined
      ? ({ name, sessionId: own }: SkillEntry): string => (own === undefined ? name : `${own} ${name}`)
      : ({ name }: SkillEntry): string => name;
  const { byName, preferred } = winnersOf(present, {
    name: contest,
    admits: (entry) => admits(entry, choices.isOn),
    prefers: ({ id }) => choices.isPinned(id),
  });
  // Most workspaces have no rule at all: then nothing is matched a thousand times.
  const hasRules = rules.length > 0;
  return present.map((entry): ResolvedSkill => {
    const decided = hasRules ? lastMatch(rules, ["skill"], ruleNames(entry.name)) : undefined;
    const rule = decided?.answer === "allow" ? undefined : decided;
    const winner = byName.get(contest(entry));
    const state = stateOf(entry, rule, winner, choices);
    return {
      entry,
      state,
      winner: state === "shadowed" ? winner : undefined,
      rule,
      pinned: preferred.has(entry),
    };
  });
}
function stateOf(
  entry: SkillEntry,
  rule: Rule | undefined,
  winner: SkillEntry | undefined,
  { isOn }: SkillChoices,
): SkillState {
  if (!entry.valid) return "invalid";
  if (!entry.approved) return "untrusted";
  if (rule?.answer === "deny") return "denied";
  if (winner === entry) return "on";
  return entry.enabled && isOn(entry.id) ? "shadowed" : "off";
}

/** As settings and `nacre skills list` show it (cli.md). Parts are set one by one: there may be thousands. */
export function skillRow(skill: ResolvedSkill, workspaceTrusted: boolean): SkillRow {
  const { entry, state, winner, rule } = skill;
  const row: Writable<SkillRow> = {
    id: entry.id,
    name: entry.name,
    description: entry.description,
    source: entry.source,
    scope: entry.scope,
    path: entry.path,
    state,
    trusted: entry.trusted === "workspace" ? workspaceTrusted : entry.trusted,
    diagnostics: entry.diagnostics,
    rank: entry.rank,
  };
  if (winner) row.shadowedBy = winner.path === "" ? winner.id : winner.path;
  if (entry.size !== undefined) row.size = entry.size;
  if (entry.changedAt !== undefined) row.changedAt = entry.changedAt;
  if (entry.hiddenFromModel) row.hiddenFromModel = true;
  if (entry.valid && !entry.userInvocable) row.modelOnly = true;
  if (entry.needs?.arguments !== undefined) row.takesArguments = true;
  if (skill.pinned) row.pinned = true;
  if (rule) row.rule = { pattern: rule.pattern, answer: rule.answer, source: rule.source };
  if (entry.sessionId !== undefined) row.sessionId = entry.sessionId;
  return row;
}
