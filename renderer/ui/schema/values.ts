import { isObject, type JsonObject } from "../../../shared/json.ts";
import type { Field } from "./fields.ts";

/** The value at a path; undefined where there is none. Names such as `__proto__` are names like any other. */
export function valueAt(values: unknown, path: readonly string[]): unknown {
  let at = values;
  for (const name of path) {
    if (!isObject(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

/** The values with another one at a path; undefined takes it out. */
export function withValue(values: JsonObject, path: readonly string[], value: unknown): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return values;
  const inner = valueAt(values, [name]);
  const next = rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value);
  if (next !== undefined) return { ...values, [name]: next };
  return Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
}

/** What a field holds that nobody has changed: its default, and where one must be given, what its control shows. */
function firstValue(field: Field): unknown {
  if (field.fallback !== undefined || !field.required) return field.fallback;
  if (field.kind === "switch") return false;
  return field.kind === "list" || field.kind === "choices" ? [] : undefined;
}
/** Names a field wherever it stands in the schema. */
export const fieldKey = ({ path }: Pick<Field, "path">): string => JSON.stringify(path);

/** The values with the first ones of all fields that hold none, but of those that a person has changed (`changed`). */
export function withDefaults(
  values: JsonObject,
  fields: readonly Field[],
  changed: ReadonlySet<string> = new Set(),
): JsonObject {
  const added: [string, unknown][] = [];
  for (const field of fields) {
    const name = field.path.at(-1) ?? "";
    const held = valueAt(values, [name]);
    const first = changed.has(fieldKey(field)) ? held : (held ?? firstValue(field));
    if (field.kind === "group") {
      const inner = withDefaults(isObject(first) ? first : {}, field.fields, changed);
      if (field.required || Object.keys(inner).length > 0) added.push([name, inner]);
    } else if (held === undefined && first !== undefined) added.push([name, first]);
  }
  return { ...values, ...Object.fromEntries(added) };
}
