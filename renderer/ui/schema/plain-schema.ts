import type { JsonSchema } from "../../../shared/json-schema.ts";
import { isObject } from "../../../shared/json.ts";

/** A reference that leads on longer than this leads in a circle. */
const mostHops = 8;

/** What a local reference (`#/$defs/x`, RFC 6901) leads to; undefined for any other. */
function target(reference: unknown, root: JsonSchema): unknown {
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const part of reference.slice(2).split("/")) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isObject(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

const isNull = (schema: unknown): boolean =>
  isObject(schema) && (schema["type"] === "null" || schema["const"] === null);

/**
 * A schema as a field is drawn by: local references followed, and `anyOf` with null, as optional values are often
 * declared, taken as the one other form. Its own title, description and default win over those that it leads to. Null
 * where it is no schema, or one that no single field can stand for.
 */
export function plainSchema(written: unknown, root: JsonSchema): JsonSchema | null {
  let schema = written;
  for (let hop = 0; hop < mostHops; hop += 1) {
    if (!isObject(schema)) return null;
    const { $ref, ...rest } = schema;
    if ($ref !== undefined) {
      const found = target($ref, root);
      if (!isObject(found)) return null;
      schema = { ...found, ...rest };
      continue;
    }
    const key = schema["anyOf"] === undefined ? "oneOf" : "anyOf";
    const forms = schema[key];
    if (!Array.isArray(forms)) return schema["allOf"] === undefined ? schema : null;
    const others = forms.filter((form) => !isNull(form));
    if (others.length !== 1 || others.length === forms.length || !isObject(others[0])) return schema;
    const { [key]: _forms, ...own } = schema;
    schema = { ...others[0], ...own };
  }
  return null;
}

/** The one type of its values, null aside; where none is written, what its other words can only mean. */
export function typeOf(schema: JsonSchema): string | undefined {
  const { type } = schema;
  if (typeof type === "string") return type;
  if (Array.isArray(type)) {
    const others = type.filter((one) => one !== "null");
    return others.length === 1 && typeof others[0] === "string" ? others[0] : undefined;
  }
  if (isObject(schema["properties"])) return "object";
  return isObject(schema["items"]) ? "array" : undefined;
}
