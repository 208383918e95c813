import type { JsonSchema } from "../../shared/json-schema.ts";
import { formatArguments, parseArguments } from "../../shared/skill-arguments-text.ts";

/** What runs a skill, as somebody types it: its name, and what stands behind it without blanks around. */
export interface SkillLine {
  readonly name: string;
  readonly rest: string;
}
/** `/NAME …` or `/skill NAME …`; null for any other text. */
export function readSkillLine(text: string): SkillLine | null {
  const found = /^\/(?:skill\s+)?([\w:-]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  return found?.[1] === undefined ? null : { name: found[1], rest: (found[2] ?? "").trim() };
}

/** The line that a text shell would be given for these values and this text. */
export function skillLine(
  name: string,
  schema: JsonSchema | null,
  values: Readonly<Record<string, unknown>>,
  text: string,
): string {
  const rest = schema === null ? text.trim() : formatArguments(schema, values, text);
  return rest === "" ? `/${name}` : `/${name} ${rest}`;
}

/** Whether a line would be refused for its arguments: one is missing, or is no value of its kind. */
export const needsForm = (schema: JsonSchema | null, rest: string): boolean =>
  schema !== null && parseArguments(schema, rest).problems.length > 0;
