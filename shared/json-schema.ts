import { Validator, type Schema } from "@cfworker/json-schema";
import { isObject, type JsonObject } from "./json.ts";

/** Limits of spec libraries.md (JSON Schema): larger schemas are not validated, with a diagnostic. */
const maxSchemaBytes = 256 * 1024;
const maxSchemaDepth = 64;

export type JsonSchema = JsonObject;
export interface SchemaProblem {
  /** `limit` or `a.b[2]`; empty for the whole. */
  readonly property: string;
  readonly message: string;
}
export type SchemaVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] }
  | { readonly ok: "skipped"; readonly reason: string };

const depth = (value: unknown, left: number): number => {
  if (typeof value !== "object" || value === null) return 0;
  if (left === 0) return 1;
  let deepest = 0;
  for (const child of Object.values(value)) deepest = Math.max(deepest, depth(child, left - 1));
  return deepest + 1;
};

/** The dialect by `$schema`; 2020-12 where none is named (MCP 2025-11-25, JSON Schema usage). */
const dialect = (schema: JsonSchema): "4" | "7" | "2019-09" | "2020-12" => {
  const name = typeof schema["$schema"] === "string" ? schema["$schema"] : "";
  if (name.includes("draft-04")) return "4";
  if (name.includes("draft-07") || name.includes("draft-06")) return "7";
  return name.includes("2019-09") ? "2019-09" : "2020-12";
};

const pointerToName = (pointer: string): string =>
  pointer
    .replace(/^#\/?/, "")
    .split("/")
    .filter((part) => part !== "")
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce(
      (name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : name === "" ? part : `${name}.${part}`),
      "",
    );

const named = (location: string, message: string): SchemaProblem => {
  const missing = /required property "([^"]+)"/.exec(message)?.[1];
  const extra = /^Property "([^"]+)" does not match additional/.exec(message)?.[1];
  const base = pointerToName(location);
  const property = missing ?? extra;
  const full = property === undefined ? base : base === "" ? property : `${base}.${property}`;
  return { property: full, message: missing ? "is required" : extra ? "is not known" : message };
};

/**
 * Validates a value. Nothing is compiled and no code is generated (content security policy).
 * Schemas over 256 KB or 64 levels are skipped with the reason.
 */
export function validateSchema(schema: unknown, value: unknown): SchemaVerdict {
  if (schema === true || schema === undefined) return { ok: true };
  if (!isObject(schema)) return { ok: "skipped", reason: "the schema is no object" };
  if (depth(schema, maxSchemaDepth) > maxSchemaDepth)
    return { ok: "skipped", reason: `the schema is deeper than ${maxSchemaDepth} levels` };
  if (JSON.stringify(schema).length > maxSchemaBytes)
    return { ok: "skipped", reason: `the schema is larger than ${maxSchemaBytes / 1024} KB` };
  try {
    const result = new Validator(schema as Schema, dialect(schema), false).validate(value);
    if (result.valid) return { ok: true };
    const leaves = result.errors.filter(
      (unit) =>
        !["properties", "$ref", "items", "prefixItems", "allOf", "additionalProperties"].includes(
          unit.keyword,
        ),
    );
    const units = leaves.length > 0 ? leaves : result.errors;
    return { ok: false, problems: units.map((unit) => named(unit.instanceLocation, unit.error)) };
  } catch (error) {
    return { ok: "skipped", reason: error instanceof Error ? error.message : String(error) };
  }
}
