import type { JsonSchema } from "../../../shared/json-schema.ts";
import { isObject } from "../../../shared/json.ts";

/** References are followed this far, so that one that leads to itself ends. */
const mostReferences = 16;
const mostAlternatives = 100;
const maxDepth = 256;
const numeral = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
const fits = (type: string, value: unknown): boolean =>
  type === "integer" ? Number.isInteger(value) : type === typeOf(value);

/** Percent signs that encode nothing are taken as they stand. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}

/** `#/$defs/x` within the root; references to elsewhere are left to the validator. */
function follow(root: JsonSchema, schema: unknown): unknown {
  let at = schema;
  for (let hops = 0; hops < mostReferences && isObject(at); hops += 1) {
    const reference = at["$ref"];
    if (typeof reference !== "string" || !/^#(\/|$)/.test(reference)) return at;
    let target: unknown = root;
    for (const part of reference.slice(1).split("/").slice(1)) {
      const name = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
      target = isObject(target) || Array.isArray(target) ? Reflect.get(target, name) : undefined;
    }
    at = target;
  }
  return at;
}

/** A schema and, where it offers a choice, all it may stand for, as far as the bounds allow. */
function alternatives(root: JsonSchema, schema: unknown, found: JsonSchema[] = [], left = 8): JsonSchema[] {
  const own = follow(root, schema);
  if (!isObject(own) || left === 0 || found.length === mostAlternatives) return found;
  found.push(own);
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    const members = own[keyword];
    if (Array.isArray(members)) for (const member of members) alternatives(root, member, found, left - 1);
  }
  return found;
}

/** The types that one schema names; those of its `enum` or `const` where it names none. Empty: any. */
function typesOf(schema: JsonSchema): string[] {
  const type = schema["type"];
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((name) => typeof name === "string");
  const values = Array.isArray(schema["enum"]) ? schema["enum"] : "const" in schema ? [schema["const"]] : [];
  return [...new Set(values.map(typeOf))];
}

/** The value as the wanted type, undefined where it cannot be that. */
function convert(type: string, value: unknown): unknown {
  if (type === "string" && (typeof value === "number" || typeof value === "boolean")) return String(value);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if ((type !== "number" && type !== "integer") || !numeral.test(text)) return undefined;
  const number = Number(text);
  // A number that would lose digits stays text, and the validator says so.
  const kept = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return kept && (type === "number" || Number.isInteger(number)) ? number : undefined;
}

/**
 * Arguments as the schema wants them, where nothing is lost by it (spec 4): "3" → 3, "true" → true, 3 → "3" where
 * text is wanted, a lone value → a list of one. What fits already is left alone; so is what cannot be helped, for
 * the validator to name. Gives a new value and changes nothing in what it was handed.
 */
export function coerce(schema: unknown, value: unknown): unknown {
  return isObject(schema) ? coerceAt(schema, schema, value, maxDepth) : value;
}

function coerceAt(root: JsonSchema, schema: unknown, value: unknown, left: number): unknown {
  if (left === 0) return value;
  const forms = alternatives(root, schema);
  const wanted = forms.flatMap(typesOf);
  if (wanted.length === 0 || wanted.some((type) => fits(type, value)))
    return within(root, forms, value, left);
  for (const type of wanted) {
    const made = convert(type, value);
    if (made !== undefined) return made;
  }
  if (wanted.includes("array") && value !== null && value !== undefined)
    return within(root, forms, [value], left);
  return value;
}

/** Goes on into an object's properties and a list's items. */
function within(root: JsonSchema, forms: readonly JsonSchema[], value: unknown, left: number): unknown {
  if (Array.isArray(value)) {
    const lists = forms.map((form) => form["prefixItems"] ?? form["items"]);
    const list = lists.find((items) => items !== undefined);
    const rest = forms.find((form) => isObject(form["items"]))?.["items"];
    return value.map((item, index) =>
      coerceAt(root, Array.isArray(list) && index in list ? list[index] : rest, item, left - 1),
    );
  }
  if (!isObject(value)) return value;
  const property = (name: string): unknown => {
    for (const form of forms) {
      const properties = form["properties"];
      if (isObject(properties) && Object.hasOwn(properties, name)) return properties[name];
    }
    return forms.find((form) => isObject(form["additionalProperties"]))?.["additionalProperties"];
  };
  // fromEntries defines: a member named __proto__ stays a member.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, coerceAt(root, property(name), member, left - 1)]),
  );
}
