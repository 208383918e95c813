import { isObject, type JsonObject } from "../../../shared/json.ts";

export type ToolArguments =
  | { readonly input: JsonObject }
  /** `input` is the text as it came. */
  | { readonly input: string; readonly inputError: string };

const shown = 200;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};

/**
 * The arguments of a tool call from the text that a model wrote. No text at all means none; an object that was encoded
 * twice is taken. Anything else is reported as `inputError`, in words for the model, and never thrown.
 */
export function parseToolArguments(text: string): ToolArguments {
  if (text.trim() === "") return { input: {} };
  let value = parse(text);
  if (typeof value === "string") value = parse(value);
  if (isObject(value) && !(value instanceof Error)) return { input: value };
  const cut = text.length > shown ? `${text.slice(0, shown)}…` : text;
  const reason =
    value instanceof Error
      ? `the arguments are not valid JSON (${value.message})`
      : `the arguments must be one JSON object, not ${Array.isArray(value) ? "a list" : value === null ? "null" : typeof value}`;
  return { input: text, inputError: `${reason}. They were: ${cut}` };
}
