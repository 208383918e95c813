import type { SkillRow, SkillState } from "../../../shared/extension-rows.ts";

export const skillStatuses = [
  "on",
  "asks",
  "off",
  "shadowed",
  "invalid",
  "denied",
  "untrusted",
] as const satisfies readonly (SkillState | "asks")[];
/** What a row is listed under: exactly one, so that the counts add up. */
export type SkillStatus = (typeof skillStatuses)[number];

/**
 * A skill that is on and that a rule asks about is `asks`; one that is on in a folder nobody trusts is loaded as text and
 * `untrusted`; else its state.
 */
export function skillStatus({
  state,
  trusted,
  rule,
}: Pick<SkillRow, "state" | "trusted" | "rule">): SkillStatus {
  if (state !== "on") return state;
  if (rule?.answer === "ask") return "asks";
  return trusted ? "on" : "untrusted";
}

/** A skill that its plugin's trust holds back is switched on all the same. */
export const isSwitchedOn = ({ state }: Pick<SkillRow, "state">): boolean =>
  state === "on" || state === "untrusted";
/** What cannot load, is denied by a rule or stands behind another one has nothing to switch. */
export const canSwitch = ({ state }: Pick<SkillRow, "state">): boolean =>
  state === "on" || state === "off" || state === "untrusted";

/** Tells one row from every other: an id stands twice while a file is moved. */
export const keyOf = ({ id, path }: Pick<SkillRow, "id" | "path">): string => `${id} ${path}`;
