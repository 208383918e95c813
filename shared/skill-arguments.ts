import { isObject, type JsonObject } from "./json.ts";
import type { JsonSchema } from "./json-schema.ts";
import { switchOf } from "./switch-of.ts";

/** What makes no sense in a skill's `arguments`, and what to write instead. The skill loads all the same. */
interface ArgumentProblem {
  readonly message: string;
  readonly fix: string;
}
export interface SkillArguments {
  /** An object schema; its properties stand in the order in which they were written. */
  readonly schema: JsonSchema;
  readonly problems: readonly ArgumentProblem[];
}
/** How a value of an argument is written in one line of text. */
type ArgumentKind = "text" | "number" | "integer" | "boolean" | "list" | "json";
/** One argument, as a line of text and its errors see it. */
export interface SkillArgument {
  readonly name: string;
  readonly kind: ArgumentKind;
  /** Of a list. */
  readonly items: SkillArgument | undefined;
  readonly required: boolean;
  /** Undefined: any. */
  readonly allowed: readonly unknown[] | undefined;
  /** Undefined: none. */
  readonly fallback: unknown;
}

/** Marks a schema made of a bare list of names, whose words may be typed in order without them (Claude Code). */
export const inOrder = "x-in-order";
export const isInOrder = (schema: JsonSchema): boolean => schema[inOrder] === true;

const argumentName = /^(?!__)[A-Za-z_][\w-]*$/;
/** `$ARGUMENTS` is the whole of what was typed. */
const reserved = "ARGUMENTS";

const types: Readonly<Record<string, string>> = {
  string: "string",
  str: "string",
  text: "string",
  number: "number",
  float: "number",
  integer: "integer",
  int: "integer",
  boolean: "boolean",
  bool: "boolean",
  array: "array",
  list: "array",
  object: "object",
};
const typeOf = (word: string): string | undefined =>
  Object.hasOwn(types, word.toLowerCase()) ? types[word.toLowerCase()] : undefined;

/**
 * The three forms of `arguments` (spec 3) as one object schema: a JSON Schema object, a map of names to
 * `{type, description, required, default, enum}`, a list of names (also in one text, separated by blanks or commas).
 * Null where there is none, or nothing of it makes sense.
 */
export function skillArguments(raw: unknown): SkillArguments | null {
  if (raw === undefined || raw === null) return null;
  const problems: ArgumentProblem[] = [];
  const made = normalised(raw, problems);
  return made === null && problems.length === 0
    ? null
    : { schema: made ?? { type: "object", properties: {} }, problems };
}
/** The schema alone; null where a skill takes no arguments. */
export function argumentSchema(raw: unknown): JsonSchema | null {
  const schema = skillArguments(raw)?.schema;
  return schema === undefined || argumentsOf(schema).length === 0 ? null : schema;
}
function normalised(raw: unknown, problems: ArgumentProblem[]): JsonSchema | null {
  if (typeof raw === "string")
    return ofList(
      raw.split(/[\s,]+/).filter((name) => name !== ""),
      problems,
    );
  if (Array.isArray(raw)) return ofList(raw, problems);
  if (!isObject(raw)) {
    problems.push({
      message: `arguments is ${JSON.stringify(raw)}, which declares nothing`,
      fix: "write a list of names, a map of names, or a JSON Schema object",
    });
    return null;
  }
  return isSchema(raw) ? ofSchema(raw, problems) : ofMap(Object.entries(raw), problems);
}
/** A map may have an argument that is called `type` or `properties`: what it declares is then no text and no schema. */
function isSchema(raw: JsonObject): boolean {
  if (raw["type"] === "object" || typeof raw["$schema"] === "string") return true;
  const { properties } = raw;
  return raw["type"] === undefined && isObject(properties) && Object.values(properties).every(isObject);
}

function ofSchema(raw: JsonObject, problems: ArgumentProblem[]): JsonSchema {
  const { properties: declared = {}, required } = raw;
  if (!isObject(declared))
    problems.push({
      message: "properties of arguments is no map of names",
      fix: "write properties: {name: {type: string}}",
    });
  const properties: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(isObject(declared) ? declared : {})) {
    if (!isUsable(name, problems)) continue;
    properties[name] = isObject(property) ? withItems(property) : {};
  }
  return {
    ...raw,
    type: "object",
    properties,
    required: Array.isArray(required)
      ? required.filter((name) => typeof name === "string" && Object.hasOwn(properties, name))
      : [],
  };
}
function ofList(list: readonly unknown[], problems: ArgumentProblem[]): JsonSchema | null {
  if (list.some(isObject))
    return ofMap(
      list.flatMap((entry): [string, unknown][] => {
        if (typeof entry === "string") return [[entry, null]];
        if (isObject(entry) && typeof entry["name"] === "string") {
          const { name, ...rest } = entry;
          return [[String(name), rest]];
        }
        problems.push({
          message: `an entry of arguments has no name: ${JSON.stringify(entry)}`,
          fix: "give each a name",
        });
        return [];
      }),
      problems,
    );
  const names = list.flatMap((name) => (typeof name === "number" ? String(name) : name));
  const schema = ofMap(
    names.map((name) => [typeof name === "string" ? name : JSON.stringify(name), null]),
    problems,
  );
  return schema && { ...schema, [inOrder]: true };
}
function ofMap(
  entries: readonly (readonly [string, unknown])[],
  problems: ArgumentProblem[],
): JsonSchema | null {
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const [name, declared] of entries) {
    if (!isUsable(name, problems)) continue;
    properties[name] = ofEntry(name, declared, required, problems);
  }
  return Object.keys(properties).length === 0 ? null : { type: "object", properties, required };
}
function isUsable(name: string, problems: ArgumentProblem[]): boolean {
  if (argumentName.test(name) && name !== reserved) return true;
  problems.push({
    message: `the argument ${JSON.stringify(name)} was left out: ${name === reserved ? "$ARGUMENTS means all that was typed" : "its name cannot be written as name=value"}`,
    fix: "name it with letters, digits, _ and -, beginning with a letter",
  });
  return false;
}

/** `string`, `"The version to release"`, or a map of what is known of it. */
function ofEntry(
  name: string,
  declared: unknown,
  required: string[],
  problems: ArgumentProblem[],
): JsonObject {
  if (typeof declared === "string") {
    const type = typeOf(declared.trim());
    return type === undefined ? { type: "string", description: declared } : { type };
  }
  if (!isObject(declared)) return { type: "string" };
  const { required: must, default: fallback, enum: allowed, type: written, ...rest } = declared;
  const say = (what: string, fix: string): void => {
    problems.push({ message: `the argument ${name}: ${what}`, fix });
  };
  if (must !== undefined) {
    const word = switchOf(must);
    if (word === undefined)
      say(
        `required is ${JSON.stringify(must)}; it counts as false`,
        "write required: true or required: false",
      );
    if (word === true) required.push(name);
  }
  const values = Array.isArray(allowed) && allowed.length > 0 ? allowed : undefined;
  if (allowed !== undefined && values === undefined)
    say("enum is no list of values and was left out", "write enum: [one, two]");
  const known = typeof written === "string" ? typeOf(written) : undefined;
  if (written !== undefined && known === undefined && !Array.isArray(written))
    say(
      `the type ${JSON.stringify(written)} is not known; it counts as text`,
      "use string, number, integer, boolean or array",
    );
  const type = Array.isArray(written)
    ? written
    : (known ?? typeOfValues(values) ?? typeOfValue(fallback) ?? "string");
  const plain: JsonObject = { ...rest, type, ...(values ? { enum: values } : {}) };
  if (fallback === undefined || fallback === null) return withItems(plain);
  const read = fallbackOf(argumentOf(name, plain, false), fallback);
  if (read !== undefined) return withItems({ ...plain, default: read });
  say(
    `its default ${JSON.stringify(fallback)} is none of its values and was left out`,
    "correct the default",
  );
  return withItems(plain);
}
/** A list that says nothing of its items is one of what its default has, else of text: forms and text see the same. */
function withItems(schema: JsonObject): JsonObject {
  const { items, enum: values, default: fallback } = schema;
  if (items !== undefined || values !== undefined || firstType(schema, undefined) !== "array") return schema;
  const known = Array.isArray(fallback) ? fallback : [];
  const type = known.every((item) => typeof item === "string") ? "string" : typeOfValues(known);
  return type === undefined ? schema : { ...schema, items: { type } };
}
const typeOfValue = (value: unknown): string | undefined =>
  typeof value === "boolean"
    ? "boolean"
    : typeof value === "number"
      ? "number"
      : Array.isArray(value)
        ? "array"
        : undefined;
const typeOfValues = (values: readonly unknown[] | undefined): string | undefined => {
  const found = new Set(values?.map(typeOfValue));
  return found.size === 1 ? [...found][0] : undefined;
};
/** A default as the argument takes it; YAML makes `1.2` a number where text is wanted. */
function fallbackOf(argument: SkillArgument, fallback: unknown): unknown {
  const { kind, allowed } = argument;
  if (allowed !== undefined) return allowed.find((value) => String(value) === String(fallback));
  switch (kind) {
    case "text":
      return isObject(fallback) || Array.isArray(fallback) ? undefined : String(fallback);
    case "boolean":
      return switchOf(fallback);
    case "number":
    case "integer": {
      const number = typeof fallback === "string" && fallback.trim() !== "" ? Number(fallback) : fallback;
      const isWanted = kind === "integer" ? Number.isInteger(number) : Number.isFinite(number);
      return isWanted ? number : undefined;
    }
    case "list":
      return Array.isArray(fallback) ? fallback : [fallback];
    case "json":
      return fallback;
  }
}

/** The arguments of a schema that `skillArguments` made, in their order. */
export function argumentsOf(schema: JsonSchema): readonly SkillArgument[] {
  const { properties, required } = schema;
  const must = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isObject(properties) ? properties : {}).map(([name, property]) =>
    argumentOf(name, isObject(property) ? property : {}, must.has(name)),
  );
}
function argumentOf(name: string, schema: JsonObject, required: boolean): SkillArgument {
  const { enum: values, items: each, default: fallback } = schema;
  const allowed = Array.isArray(values) && values.length > 0 ? values : undefined;
  const type = firstType(schema, allowed);
  const items = type === "array" ? argumentOf(name, isObject(each) ? each : {}, true) : undefined;
  const isNested = items !== undefined && (items.kind === "list" || items.kind === "json");
  return {
    name,
    kind: isNested ? "json" : kindOf(type),
    items: isNested ? undefined : items,
    required,
    allowed,
    fallback,
  };
}
function firstType({ type }: JsonObject, allowed: readonly unknown[] | undefined): string | undefined {
  if (typeof type === "string") return type;
  const named = Array.isArray(type)
    ? type.find((word) => typeof word === "string" && word !== "null")
    : undefined;
  return typeof named === "string" ? named : typeOfValues(allowed);
}
function kindOf(type: string | undefined): ArgumentKind {
  switch (type) {
    case "number":
    case "integer":
    case "boolean":
      return type;
    case "array":
      return "list";
    case "object":
      return "json";
    default:
      return "text";
  }
}
