import { validateSchema } from "./json-schema.ts";
import type { JsonObject } from "./json.ts";
import { holdsPattern } from "./linear-pattern.ts";

/** Formats that the validator knows and that an example can show. */
const textFormats = [
  "email",
  "uri",
  "date",
  "date-time",
  "time",
  "uuid",
  "ipv4",
  "ipv6",
  "hostname",
] as const;
/** What a text breaks of a schema from elsewhere that its validation leaves out. */
export type ForeignTextProblem =
  | { readonly keyword: "format"; readonly format: (typeof textFormats)[number] }
  | { readonly keyword: "pattern"; readonly pattern: string };

/** Null for what is no text and where nothing is broken. A pattern from elsewhere is never run as a regular expression. */
export function foreignTextProblem(schema: JsonObject, value: unknown): ForeignTextProblem | null {
  if (typeof value !== "string") return null;
  const format = textFormats.find((known) => known === schema["format"]);
  if (format !== undefined && validateSchema({ format }, value).ok === false)
    return { keyword: "format", format };
  const { pattern } = schema;
  return typeof pattern === "string" && holdsPattern(pattern, value) === false
    ? { keyword: "pattern", pattern }
    : null;
}
