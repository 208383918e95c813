import type { SkillState } from "../../../shared/extension-rows.ts";
import type { ResolvedSkill } from "./resolve.ts";

/** What a name means: one skill, or the names of the plugins' skills that it may mean. */
export type FoundByName = ResolvedSkill | { readonly ambiguous: readonly string[] };

/** What a person may load by name, outside any conversation. */
export const namesForPeople = (resolved: readonly ResolvedSkill[]): readonly string[] =>
  resolved.flatMap(({ entry, state }) =>
    state === "on" && entry.userInvocable && entry.sessionId === undefined ? [entry.name] : [],
  );

/** Itself, or the one plugin's skill of that bare name; several plugins' is ambiguous. */
export function findSkill(resolved: readonly ResolvedSkill[], name: string): FoundByName | undefined {
  const suffix = `:${name}`;
  let exact: ResolvedSkill | undefined;
  let bare: ResolvedSkill | undefined;
  const on: string[] = [];
  for (const skill of resolved) {
    const { entry, state } = skill;
    if (entry.name === name) exact = better(exact, skill);
    else if (entry.name.endsWith(suffix)) {
      bare = better(bare, skill);
      if (state === "on") on.push(entry.name);
    }
  }
  // What is off or broken has no name to keep from others.
  if (exact && exact.state !== "invalid" && exact.state !== "off") return exact;
  if (on.length > 1) return { ambiguous: on.sort() };
  return bare?.state === "on" ? bare : (exact ?? bare);
}
const better = (best: ResolvedSkill | undefined, other: ResolvedSkill): ResolvedSkill =>
  best && claim(best) <= claim(other) ? best : other;
/** Of equals the first; a conversation's skill gives way where several conversations are listed together. */
const claim = ({ entry, state }: ResolvedSkill): number =>
  2 * order[state] + (entry.sessionId === undefined ? 0 : 1);
const order: Readonly<Record<SkillState, number>> = {
  on: 0,
  denied: 1,
  untrusted: 2,
  off: 3,
  shadowed: 4,
  invalid: 5,
};
