import type { SkillRow, SkillState } from "../../../shared/extension-rows.ts";

export const skillStatuses = [
  "on",
  "off",
  "shadowed",
  "invalid",
  "denied",
  "asks",
  "untrusted",
] as const satisfies readonly (SkillState | "asks")[];
/** What a row is marked with: exactly one. */
export type SkillStatus = (typeof skillStatuses)[number];

/** A skill that is on and that a rule asks about is `asks`; else its state. */
export const skillStatus = ({ state, rule }: Pick<SkillRow, "state" | "rule">): SkillStatus =>
  state === "on" && rule?.answer === "ask" ? "asks" : state;
/** On in a folder that nobody trusts: it is loaded, as text. A plugin's skill that waits for trust is not. */
export const isTextAlone = ({ state, trusted }: Pick<SkillRow, "state" | "trusted">): boolean =>
  state === "on" && !trusted;
/** What a row is found under: its state, and what else is said of one that is on. */
export function skillFilters(row: Pick<SkillRow, "state" | "trusted" | "rule">): readonly SkillStatus[] {
  if (row.state !== "on") return [row.state];
  const asks = skillStatus(row) === "asks" ? (["asks"] as const) : [];
  return ["on", ...asks, ...(isTextAlone(row) ? (["untrusted"] as const) : [])];
}

/** A skill that its plugin's trust holds back is switched on all the same. */
export const isSwitchedOn = ({ state }: Pick<SkillRow, "state">): boolean =>
  state === "on" || state === "untrusted";
/** What cannot load, is denied by a rule or stands behind another one has nothing to switch. */
export const canSwitch = ({ state }: Pick<SkillRow, "state">): boolean =>
  state === "on" || state === "off" || state === "untrusted";

/** Tells one row from every other: an id stands twice while a file is moved. */
export const keyOf = ({ id, path }: Pick<SkillRow, "id" | "path">): string => `${id} ${path}`;
