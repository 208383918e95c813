import type { OutputUnit } from "@cfworker/json-schema";

/** What one value breaks, in plain words. */
export interface SchemaProblem {
  /** `limit` or `a.b[2]`; empty for the whole. */
  readonly property: string;
  /** `must be a number, not text`; reads on from the property's name. */
  readonly message: string;
  /** The schema's word that it breaks (`minLength`), for who words it otherwise; empty where none does. */
  readonly keyword: string;
}

const typeWords: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};
const words = (types: readonly string[]): string =>
  types.map((type) => typeWords[type] ?? `of type "${type}"`).join(" or ");

/** These say only that something below them failed. */
const wrappers = new Set([
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "dependentSchemas",
  "$ref",
  "$recursiveRef",
  "allOf",
  "if",
]);

/** What follows these are the findings of their alternatives. */
const choices = new Set(["anyOf", "oneOf", "contains"]);

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

const below = (base: string, property: string): string => (base === "" ? property : `${base}.${property}`);
const quoted = (text: string): string => /"([^"]*)"/.exec(text)?.[1] ?? "";
/** The last number in the validator's sentence is the limit. */
const limit = (text: string): string => /(-?[\d.eE+-]*\d)\D*$/.exec(text)?.[1] ?? "";

/** `… any of ["a","b"].` → `"a", "b"` */
const listed = (text: string): string => {
  const values: unknown = JSON.parse(/(\[[^]*\])\.$/.exec(text)?.[1] ?? "[]");
  return (Array.isArray(values) ? values : []).map((value) => JSON.stringify(value)).join(", ");
};

const expectedTypes = (unit: OutputUnit): string[] =>
  [...unit.error.replace(/^.*Expected /, "").matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? "");
const wrongType = (units: readonly OutputUnit[]): string => {
  const found = quoted(units[0]?.error ?? "");
  return `must be ${words([...new Set(units.flatMap(expectedTypes))])}, not ${words([found])}`;
};

const sentences: Readonly<Record<string, (unit: OutputUnit) => string>> = {
  type: (unit) => wrongType([unit]),
  enum: (unit) => `must be one of ${listed(unit.error)}`,
  const: (unit) => `must be ${unit.error.replace(/^.*match /, "").replace(/\.$/, "")}`,
  false: () => "is not known",
  not: () => "has a form that is not allowed",
  minimum: (unit) => `must be at least ${limit(unit.error)}`,
  maximum: (unit) => `must be at most ${limit(unit.error)}`,
  exclusiveMinimum: (unit) => `must be more than ${limit(unit.error)}`,
  exclusiveMaximum: (unit) => `must be less than ${limit(unit.error)}`,
  multipleOf: (unit) => `must be a multiple of ${limit(unit.error)}`,
  minLength: (unit) => `must have at least ${limit(unit.error)} characters`,
  maxLength: (unit) => `must have at most ${limit(unit.error)} characters`,
  minItems: (unit) => `must have at least ${limit(unit.error)} items`,
  maxItems: (unit) => `must have at most ${limit(unit.error)} items`,
  minProperties: (unit) => `must have at least ${limit(unit.error)} properties`,
  maxProperties: (unit) => `must have at most ${limit(unit.error)} properties`,
  contains: () => "lacks an item that it must have",
  uniqueItems: () => "must not have the same item twice",
  pattern: () => "does not match the pattern that its schema gives",
  format: (unit) => `must be a valid ${quoted(unit.error)}`,
};

const problem = (unit: OutputUnit): SchemaProblem => {
  const base = pointerToName(unit.instanceLocation);
  if (unit.keyword === "required")
    return { property: below(base, quoted(unit.error)), message: "is required", keyword: "required" };
  const needed = /^Instance has "([^"]*)" but does not have "([^"]*)"/.exec(unit.error);
  if (needed)
    return {
      property: below(base, needed[2] ?? ""),
      message: `is required where ${needed[1]} is given`,
      keyword: unit.keyword,
    };
  const message = sentences[unit.keyword]?.(unit) ?? unit.error.replace(/\.$/, "");
  return { property: base, message, keyword: unit.keyword };
};

/** One sentence for `anyOf` and `oneOf`: the form that was meant, where that can be told, else all of them. */
const ofChoice = (choice: OutputUnit, children: readonly OutputUnit[]): SchemaProblem[] => {
  const property = pointerToName(choice.instanceLocation);
  const { keyword } = choice;
  if (/\([1-9]\d* matches\)/.test(choice.error))
    return [{ property, message: "fits more than one of its forms", keyword }];
  const here = (unit: OutputUnit): boolean => unit.instanceLocation === choice.instanceLocation;
  const forms = new Map<string, OutputUnit[]>();
  let form: OutputUnit[] = [];
  for (const unit of children) {
    // A `false` unit carries no keyword location of its own: it follows the unit that it belongs to.
    if (unit.keyword !== "false") {
      const key = unit.keywordLocation.slice(choice.keywordLocation.length).split("/")[1] ?? "";
      form = forms.get(key) ?? [];
      forms.set(key, form);
    }
    form.push(unit);
  }
  const meant = [...forms.values()].filter(
    (units) => !units.some((unit) => unit.keyword === "const" || (unit.keyword === "type" && here(unit))),
  );
  const only = meant[0];
  if (meant.length === 1 && only !== undefined) return problems(only);
  const leaves = children.filter((unit) => !wrappers.has(unit.keyword));
  if (leaves.every((unit) => unit.keyword === "type" && here(unit)))
    return [{ property, message: wrongType(leaves), keyword: "type" }];
  return [{ property, message: `fits none of its ${forms.size} forms`, keyword }];
};

/** The validator's findings in plain words, wrappers left out, each property with its first reason. */
export function problems(units: readonly OutputUnit[]): SchemaProblem[] {
  const found: SchemaProblem[] = [];
  for (let index = 0; index < units.length; index += 1) {
    const unit = units[index];
    if (unit === undefined || wrappers.has(unit.keyword)) continue;
    if (choices.has(unit.keyword)) {
      const rest = units.slice(index + 1);
      const end = rest.findIndex(
        (next) => !next.keywordLocation.startsWith(`${unit.keywordLocation}/`) && next.keyword !== "false",
      );
      const children = end < 0 ? rest : rest.slice(0, end);
      found.push(...(unit.keyword === "contains" ? [problem(unit)] : ofChoice(unit, children)));
      index += children.length;
    } else found.push(problem(unit));
  }
  const seen = new Set<string>();
  return found.filter(({ property }) => !seen.has(property) && seen.add(property));
}
