import type { JsonSchema } from "../../shared/json-schema.ts";
import { formatArguments, parseArguments } from "../../shared/skill-arguments-text.ts";

/** The line that a text shell would be given for these values and this text. `command`: what is typed for the skill. */
export function skillLine(
  command: string,
  schema: JsonSchema | null,
  values: Readonly<Record<string, unknown>>,
  text: string,
): string {
  const rest = schema === null ? text.trim() : formatArguments(schema, values, text);
  return rest === "" ? command : `${command} ${rest}`;
}

/** Whether a line would be refused for its arguments: one is missing, or is no value of its kind. */
export const needsForm = (schema: JsonSchema | null, rest: string): boolean =>
  schema !== null && parseArguments(schema, rest).problems.length > 0;
