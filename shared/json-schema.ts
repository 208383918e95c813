import { type Schema, Validator } from "@cfworker/json-schema";
import { withoutExpressions } from "./foreign-schema.ts";
import { isObject, type JsonObject } from "./json.ts";
import { problems, type SchemaProblem } from "./schema-problems.ts";

/** Limits of libraries.md (JSON Schema): larger schemas are not validated, with a diagnostic. */
const maxSchemaBytes = 256 * 1024;
const maxSchemaDepth = 64;
/** A value nested deeper is refused: a recursive schema would exhaust the stack on it. */
const maxValueDepth = 256;

export type JsonSchema = JsonObject;
export type SchemaVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] }
  | { readonly ok: "skipped"; readonly reason: string };

/** How deep a value is nested, counted up to `limit` + 1. */
const depth = (value: unknown, limit: number): number => {
  if (typeof value !== "object" || value === null) return 0;
  if (limit === 0) return 1;
  let deepest = 0;
  for (const child of Object.values(value)) deepest = Math.max(deepest, depth(child, limit - 1));
  return deepest + 1;
};

/** The dialect by `$schema`; 2020-12 where none is named (MCP 2025-11-25, JSON Schema usage). */
const dialect = (schema: JsonSchema): "4" | "7" | "2019-09" | "2020-12" => {
  const name = typeof schema["$schema"] === "string" ? schema["$schema"] : "";
  if (name.includes("draft-04")) return "4";
  if (name.includes("draft-07") || name.includes("draft-06")) return "7";
  return name.includes("2019-09") ? "2019-09" : "2020-12";
};

type Prepared = Validator | { readonly skipped: string };
const kept = { own: new WeakMap<JsonSchema, Prepared>(), foreign: new WeakMap<JsonSchema, Prepared>() };

function prepare(schema: JsonSchema, foreign: boolean): Prepared {
  if (depth(schema, maxSchemaDepth) > maxSchemaDepth)
    return { skipped: `the schema is deeper than ${maxSchemaDepth} levels` };
  const text = JSON.stringify(schema);
  if (text.length > maxSchemaBytes)
    return { skipped: `the schema is larger than ${maxSchemaBytes / 1024} KB` };
  // A copy: the validator marks what it reads, and a caller's schema may be frozen.
  const own = JSON.parse(text) as Schema & JsonSchema;
  return new Validator(foreign ? (withoutExpressions(own) as Schema) : own, dialect(schema), false);
}

/**
 * Validates a value. Nothing is compiled and no code is generated (content security policy).
 * A schema that is over 256 KB or 64 levels or that is broken itself is skipped with the reason. What is prepared
 * for a schema is kept with the object: a schema that changes is a new object.
 * `foreign`: the schema's owner validates as well; its regular expressions and formats are not run here.
 */
export function validateSchema(
  schema: unknown,
  value: unknown,
  options: { foreign?: boolean } = {},
): SchemaVerdict {
  if (schema === true || schema === undefined) return { ok: true };
  if (!isObject(schema)) return { ok: "skipped", reason: "the schema is no object" };
  if (depth(value, maxValueDepth) > maxValueDepth)
    return {
      ok: false,
      problems: [{ property: "", message: `is nested deeper than ${maxValueDepth} levels`, keyword: "" }],
    };
  const cache = options.foreign === true ? kept.foreign : kept.own;
  try {
    let prepared = cache.get(schema);
    if (prepared === undefined) cache.set(schema, (prepared = prepare(schema, options.foreign === true)));
    if ("skipped" in prepared) return { ok: "skipped", reason: prepared.skipped };
    const result = prepared.validate(value);
    return result.valid ? { ok: true } : { ok: false, problems: problems(result.errors) };
  } catch (error) {
    // Faults of the value, not of the schema: half a surrogate pair cannot stand in a pointer, undefined is no JSON.
    if (error instanceof URIError)
      return {
        ok: false,
        problems: [{ property: "", message: "holds a name that is no valid text", keyword: "" }],
      };
    const reason = error instanceof Error ? error.message : String(error);
    if (reason.startsWith("Instances of"))
      return {
        ok: false,
        problems: [{ property: "", message: "holds something that JSON does not know", keyword: "" }],
      };
    return { ok: "skipped", reason };
  }
}
