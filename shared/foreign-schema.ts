import { isObject, type JsonObject } from "./json.ts";

/** Keywords that hold one schema, a list of schemas, or a map of names to schemas (draft-07 and 2020-12). */
const single = [
  "additionalItems",
  "unevaluatedItems",
  "items",
  "contains",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
];
const lists = ["prefixItems", "items", "allOf", "anyOf", "oneOf"];
const maps = ["$defs", "definitions", "properties", "patternProperties", "dependentSchemas", "dependencies"];
const expressions = ["pattern", "patternProperties", "format"];

/** A copy in which every schema, the outermost last, went through `change`. Property names are left alone. */
function copy(schema: unknown, change: (schema: Record<string, unknown>) => void): unknown {
  if (!isObject(schema)) return schema;
  const made: Record<string, unknown> = { ...schema };
  for (const key of [...single, ...lists, ...maps]) {
    const value = made[key];
    if (Array.isArray(value))
      made[key] = lists.includes(key) ? value.map((item) => copy(item, change)) : value;
    else if (!isObject(value)) continue;
    else if (!maps.includes(key)) made[key] = copy(value, change);
    else
      made[key] = Object.fromEntries(
        Object.entries(value).map(([name, child]) => [name, copy(child, change)]),
      );
  }
  change(made);
  return made;
}

/**
 * The schema without `pattern`, `patternProperties` and `format`: a regular expression from elsewhere is never run
 * on our thread, its owner checks it (libraries.md, JSON Schema). Keywords that would turn stricter by the loss
 * (`not`, `if`, `oneOf`, …) are loosened with it, so that whatever the schema takes, the copy takes as well.
 */
export function withoutExpressions(schema: JsonObject): JsonObject {
  let found = false;
  const stripped = copy(schema, (made) => {
    if (!expressions.some((keyword) => keyword in made)) return;
    found = true;
    if ("patternProperties" in made) delete made["additionalProperties"];
    for (const keyword of expressions) delete made[keyword];
  });
  const loose = !found
    ? stripped
    : copy(stripped, (made) => {
        for (const keyword of ["not", "if", "then", "else", "maxContains", "unevaluatedProperties"])
          delete made[keyword];
        if (!Array.isArray(made["oneOf"])) return;
        made["allOf"] = [...(Array.isArray(made["allOf"]) ? made["allOf"] : []), { anyOf: made["oneOf"] }];
        delete made["oneOf"];
      });
  return isObject(loose) ? loose : {};
}
