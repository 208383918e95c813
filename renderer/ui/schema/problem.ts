import { foreignTextProblem } from "../../../shared/foreign-text.ts";
import { validateSchema } from "../../../shared/json-schema.ts";
import { isObject, type JsonObject } from "../../../shared/json.ts";
import type { SchemaProblem } from "../../../shared/schema-problems.ts";
import type { Field } from "./fields.ts";
import { valueAt } from "./values.ts";

/** What is wrong with a field, worded by `ui.schema.problem.CODE`. `row` counts from 1, of a list alone. */
export interface Problem {
  readonly code: string;
  readonly values: Readonly<Record<string, string | number>>;
  readonly row?: number;
}
const limits = new Set(["exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"]);
const others = new Set(["minItems", "maxItems", "uniqueItems"]);
const plain = { values: {} } as const;

/** A range is told whole, so that the next try fits. */
function rangeProblem({ minimum, maximum }: JsonObject): Problem | null {
  if (typeof minimum === "number" && typeof maximum === "number")
    return { code: "between", values: { least: minimum, most: maximum } };
  if (typeof minimum === "number") return { code: "minimum", values: { limit: minimum } };
  return typeof maximum === "number" ? { code: "maximum", values: { limit: maximum } } : null;
}
const typeCode = (field: Field): string =>
  field.kind !== "number" ? "other" : field.whole ? "whole_number" : "number";

function worded({ keyword, message }: SchemaProblem, field: Field): Problem {
  const limit = field.schema[keyword];
  if (keyword === "type" && field.kind === "number") return { code: typeCode(field), ...plain };
  if (keyword === "minimum" || keyword === "maximum") {
    const range = rangeProblem(field.schema);
    if (range) return range;
  }
  if ((limits.has(keyword) || others.has(keyword)) && typeof limit === "number")
    return { code: keyword, values: { limit } };
  if (keyword === "uniqueItems") return { code: keyword, ...plain };
  if (keyword === "enum" || keyword === "const" || keyword === "oneOf" || keyword === "anyOf")
    return field.kind === "json" ? { code: "other", values: { message } } : { code: "choice", ...plain };
  return { code: "other", values: { message } };
}

function textProblem(schema: JsonObject, value: unknown): Problem | null {
  const problem = foreignTextProblem(schema, value);
  if (problem === null) return null;
  return problem.keyword === "pattern"
    ? { code: "pattern", values: { pattern: problem.pattern } }
    : { code: `format_${problem.format.replace("-", "_")}`, ...plain };
}
/** `[3]` or `[3].x` of a list's own problems. */
const rowOf = (property: string): number | undefined => {
  const found = /^\[(\d+)\]/.exec(property)?.[1];
  return found === undefined ? undefined : Number(found);
};

function valueProblem(field: Field, value: unknown): Problem | null {
  const verdict = validateSchema(field.schema, value, { foreign: true });
  const first = verdict.ok === false ? verdict.problems[0] : undefined;
  if (!first) return textProblem(field.schema, value);
  if (field.kind === "json" && first.property !== "")
    return { code: "other", values: { message: `${first.property} ${first.message}` } };
  const row = rowOf(first.property);
  if (row === undefined || field.kind !== "list") return worded(first, field);
  return { ...worded(first, field.item), row: row + 1 };
}

/** What is wrong with the value of one field; of a group its fields are asked each. Null where nothing is. */
export function fieldProblem(field: Field, values: JsonObject): Problem | null {
  const value = valueAt(values, field.path);
  if (field.kind === "group") return null;
  if (value === undefined) return field.required ? { code: "required", ...plain } : null;
  const problem = valueProblem(field, value);
  if (problem || field.kind !== "list" || !Array.isArray(value)) return problem;
  for (const [index, item] of value.entries()) {
    const wrong = textProblem(field.item.schema, item);
    if (wrong) return { ...wrong, row: index + 1 };
  }
  return null;
}

/** The fields that are asked for a value: of an optional group that holds none, none. */
export const askedFields = (fields: readonly Field[], values: JsonObject): readonly Field[] =>
  fields.flatMap((field) => {
    if (field.kind !== "group") return [field];
    const held = valueAt(values, field.path);
    const isEmpty = !isObject(held) || Object.keys(held).length === 0;
    return isEmpty && !field.required ? [] : field.fields;
  });
