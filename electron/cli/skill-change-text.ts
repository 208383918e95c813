import type { Diagnostic } from "../../shared/diagnostic.ts";
import type { SkillRow } from "../../shared/extension-rows.ts";
import { UsageError } from "./arguments.ts";
import { diagnosticLine } from "./diagnostics.ts";
import { table } from "./output.ts";

/** @param left What is wrong with the file after its repair: errors keep it from being a skill. */
export function repairedText(path: string, left: readonly Diagnostic[]): string {
  const errors = left.filter(({ severity }) => severity === "error");
  return errors.length === 0
    ? `repaired ${path}`
    : [`repaired ${path} in part: the skill is still not offered`, ...errors.map(diagnosticLine)].join("\n");
}

/** Before what cannot be taken back at a glance. @throws UsageError where several skills have the name and none is chosen */
export function assertOneMeant(rows: readonly SkillRow[], name: string, source: string | undefined): void {
  const named = rows.filter((row) => row.name === name);
  if (source !== undefined || named.length < 2) return;
  const choices = table(named.map((row) => ["", row.source, row.path]));
  throw new UsageError(`--source says which ${name} is meant:\n${choices}`);
}

/** @param next Who has the name now; undefined where nobody has. */
export const removedSkillText = (
  { name, source, path }: SkillRow,
  undo: string,
  next: SkillRow | undefined,
): string =>
  [
    `removed ${name} of ${source}, ${path}; nacre skills restore ${undo} brings it back`,
    ...(next ? [`${name} of ${next.source} takes its place: ${next.path}`] : []),
  ].join("\n");

/** @param on What was asked for, which a rule, a fault or a better one of the name may keep from counting. */
export function switchedText({ name, source, state }: SkillRow, on: boolean): string {
  const isAsAsked = state === (on ? "on" : "off");
  return isAsAsked
    ? `${name} of ${source} is ${state}`
    : `${name} of ${source} is switched ${on ? "on" : "off"} and ${state}: nacre skills doctor ${name} says why`;
}

export const madeText = ({ name, path }: SkillRow): string =>
  `made ${name}: say in ${path} what it does and when to use it, then nacre skills doctor ${name}`;
