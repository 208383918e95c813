import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { SkillRow, SkillState } from "../../../shared/extension-rows.ts";
import type { RuleAnswer } from "../../../shared/policy.ts";
import type { Rule } from "../config/permission.ts";
import { lastMatch } from "../policy/rules.ts";
import type { SkillNeeds } from "./types.ts";

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
  readonly needs?: SkillNeeds;
  readonly sessionId?: string;
}
export interface ResolvedSkill {
  readonly entry: SkillEntry;
  readonly state: SkillState;
  /** Who has the name instead, for a shadowed one. */
  readonly winner: SkillEntry | undefined;
}

/** The spellings of a name that permission patterns match: `docs:pdf` is `pdf` too. */
export const ruleNames = (name: string): readonly string[] => {
  const colon = name.indexOf(":");
  return colon < 0 ? [name] : [name, name.slice(colon + 1)];
};
/** What `permission.skill` says of a name; allow where no rule speaks. */
const skillAnswer = (rules: readonly Rule[], name: string): RuleAnswer =>
  lastMatch(rules, ["skill"], ruleNames(name))?.answer ?? "allow";

/** May win a name: it loads, its plugin may speak, nobody switched it off. */
export const admits = (entry: SkillEntry, isOn: (id: string) => boolean): boolean =>
  entry.valid && entry.approved && entry.enabled && isOn(entry.id);

/** States of all skills, in the order given (best first). Pure. */
export function resolveSkills(
  entries: readonly SkillEntry[],
  isOn: (id: string) => boolean,
  rules: readonly Rule[],
): readonly ResolvedSkill[] {
  const winners = new Map<string, SkillEntry>();
  for (const entry of entries)
    if (!winners.has(entry.name) && admits(entry, isOn)) winners.set(entry.name, entry);
  // Most workspaces have no rule at all: then nothing is matched a thousand times.
  const hasRules = rules.length > 0;
  const stateOf = (entry: SkillEntry): SkillState => {
    if (!entry.valid) return "invalid";
    if (!entry.approved) return "untrusted";
    if (hasRules && skillAnswer(rules, entry.name) === "deny") return "denied";
    if (!entry.enabled || !isOn(entry.id)) return "off";
    return winners.get(entry.name) === entry ? "on" : "shadowed";
  };
  return entries.map((entry) => {
    const state = stateOf(entry);
    return { entry, state, winner: state === "shadowed" ? winners.get(entry.name) : undefined };
  });
}

/** As settings and `nacre skills list` show it (cli.md). */
export const skillRow = ({ entry, state, winner }: ResolvedSkill, workspaceTrusted: boolean): SkillRow => ({
  id: entry.id,
  name: entry.name,
  description: entry.description,
  source: entry.source,
  scope: entry.scope,
  path: entry.path,
  state,
  trusted: entry.trusted === "workspace" ? workspaceTrusted : entry.trusted,
  diagnostics: entry.diagnostics,
  ...(winner ? { shadowedBy: winner.path === "" ? winner.id : winner.path } : {}),
  rank: entry.rank,
  ...(entry.size === undefined ? {} : { size: entry.size }),
  ...(entry.changedAt === undefined ? {} : { changedAt: entry.changedAt }),
  ...(entry.hiddenFromModel ? { hiddenFromModel: true } : {}),
  ...(entry.valid && !entry.userInvocable ? { modelOnly: true } : {}),
  ...(entry.needs?.arguments === undefined ? {} : { takesArguments: true }),
  ...(entry.sessionId === undefined ? {} : { sessionId: entry.sessionId }),
});

/** What a name means: itself, or the one plugin's skill of that bare name; several plugins' is ambiguous. */
export function findSkill(
  resolved: readonly ResolvedSkill[],
  name: string,
): ResolvedSkill | { readonly ambiguous: readonly string[] } | undefined {
  const best = (matches: readonly ResolvedSkill[]): ResolvedSkill | undefined =>
    matches.toSorted((a, b) => order[a.state] - order[b.state])[0];
  const exact = best(resolved.filter(({ entry }) => entry.name === name));
  if (exact && exact.state !== "invalid") return exact;
  const bare = resolved.filter(({ entry }) => entry.name.endsWith(`:${name}`));
  const on = bare.filter(({ state }) => state === "on");
  if (on.length > 1) return { ambiguous: on.map(({ entry }) => entry.name).sort() };
  return on[0] ?? exact ?? best(bare);
}
const order: Readonly<Record<SkillState, number>> = {
  on: 0,
  denied: 1,
  untrusted: 2,
  off: 3,
  shadowed: 4,
  invalid: 5,
};
