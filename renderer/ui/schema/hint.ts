import { cutEnd, visibleName } from "../../../shared/visible-text.ts";
import type { Field } from "./fields.ts";
import type { Problem } from "./problem.ts";

/** An expression that is longer tells a person nothing. */
const longestPattern = 120;

/** What a field allows, said before anything is typed (`ui.schema.hint.CODE`); null where nothing has to be said. */
export function hintOf(field: Field): Problem | null {
  const { minimum, maximum, minLength, maxLength, pattern, minItems, maxItems } = field.schema;
  if (field.kind === "json") return { code: "json", values: {} };
  if (field.kind === "number") {
    if (typeof minimum === "number" && typeof maximum === "number")
      return { code: "between", values: { least: minimum, most: maximum } };
    if (typeof minimum === "number") return { code: "minimum", values: { limit: minimum } };
    return typeof maximum === "number" ? { code: "maximum", values: { limit: maximum } } : null;
  }
  if (field.kind === "text") {
    if (typeof pattern === "string" && cutEnd(pattern, longestPattern).left === 0)
      return { code: "pattern", values: { pattern: visibleName(pattern, longestPattern) } };
    if (typeof minLength === "number" && minLength > 1)
      return { code: "min_length", values: { limit: minLength } };
    return typeof maxLength === "number" && field.look !== "lines"
      ? { code: "max_length", values: { limit: maxLength } }
      : null;
  }
  if (field.kind !== "list" && field.kind !== "choices") return null;
  if (typeof minItems === "number" && minItems > 0) return { code: "min_items", values: { limit: minItems } };
  return typeof maxItems === "number" ? { code: "max_items", values: { limit: maxItems } } : null;
}
