import { foreignTextProblem } from "./foreign-text.ts";
import { isObject } from "./json.ts";
import { type JsonSchema, validateSchema } from "./json-schema.ts";
import { nearWord } from "./near-word.ts";
import { argumentsOf, isInOrder, type SkillArgument } from "./skill-arguments.ts";
import { switchOf } from "./switch-of.ts";

/** What was typed behind a skill's name, read by its schema. */
export interface TypedArguments {
  /** By name; a default stands where nothing was typed. */
  readonly values: Readonly<Record<string, unknown>>;
  /** What follows the arguments, without blanks around it. */
  readonly text: string;
  /** One sentence each; empty where all is well. */
  readonly problems: readonly string[];
}
interface Read {
  readonly given: ReadonlyMap<string, string>;
  readonly text: string;
  readonly problems: readonly string[];
}
/** What follows is text, whatever it looks like. */
const endMark = /^--(?:\s|$)/;
const assignment = /^([A-Za-z_][\w-]*)=/;

/**
 * Reads `key=value key2="two words" the text`: the arguments stand first, the first word that is none begins the text, and
 * `--` ends them by force. In quotes (double or single, at the beginning of a value) blanks count; in double ones `\"` and
 * `\\` stand for `"` and `\`. A list is `a,b` or JSON. Where the schema is a bare list of names and no `key=` stands,
 * words take the names in order.
 */
export function parseArguments(schema: JsonSchema, typed: string): TypedArguments {
  const known = argumentsOf(schema);
  const read = readKeys(known, typed);
  const { given, text } = isInOrder(schema) ? inOrder(known, read, typed) : read;
  const problems = [...read.problems];
  const values: Record<string, unknown> = {};
  for (const argument of known) {
    const { name, fallback, required } = argument;
    const written = given.get(name);
    if (written === undefined) {
      if (fallback !== undefined) values[name] = fallback;
      else if (required) problems.push(`${name} is missing`);
      continue;
    }
    const value = valueOf(argument, written);
    if (value === undefined)
      problems.push(`${name} must be ${allowedWords(argument)}, not ${shown(written)}`);
    else values[name] = value;
  }
  if (problems.length === 0) problems.push(...brokenRules(schema, values));
  return { values, text, problems };
}
/** Limits that the schema sets beyond types: `minimum`, `maxLength`, `pattern`. */
function brokenRules(schema: JsonSchema, values: Readonly<Record<string, unknown>>): readonly string[] {
  const verdict = validateSchema(schema, values, { foreign: true });
  if (verdict.ok === false) return verdict.problems.map(({ property, message }) => `${property} ${message}`);
  const { properties } = schema;
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, property]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (typeof value !== "string" || !isObject(property)) return [];
    const problem = foreignTextProblem(property, value);
    if (problem === null) return [];
    return problem.keyword === "pattern"
      ? `${name} must match ${problem.pattern}, not ${shown(value)}`
      : `${name} must be a valid ${problem.format}, not ${shown(value)}`;
  });
}

function readKeys(known: readonly SkillArgument[], typed: string): Read {
  const names = new Set(known.map(({ name }) => name));
  const given = new Map<string, string>();
  const problems: string[] = [];
  let rest = typed.trim();
  for (;;) {
    if (endMark.test(rest)) return { given, problems, text: rest.slice(2).trim() };
    const name = assignment.exec(rest)?.[1];
    if (name === undefined) break;
    if (!names.has(name)) {
      const near = nearWord(name, names);
      if (near === undefined) break;
      problems.push(`there is no argument ${name}; did you mean ${near}?`);
    } else if (given.has(name)) problems.push(`${name} is given twice`);
    const { value, left, problem } = readValue(rest.slice(name.length + 1));
    if (problem !== undefined) {
      problems.push(`${name}: ${problem}`);
      return { given, problems, text: "" };
    }
    given.set(name, value);
    rest = left.trimStart();
  }
  return { given, problems, text: rest };
}
/** One value or word from the start of a text. */
function readValue(text: string): {
  readonly value: string;
  readonly left: string;
  readonly problem?: string;
} {
  const quote = text[0];
  if (quote !== '"' && quote !== "'") {
    const end = text.search(/\s/);
    return end < 0 ? { value: text, left: "" } : { value: text.slice(0, end), left: text.slice(end) };
  }
  const match = quote === '"' ? /^"((?:[^"\\]|\\[^])*)"/.exec(text) : /^'([^']*)'/.exec(text);
  const none = { value: "", left: "" };
  if (match?.[1] === undefined) return { ...none, problem: `the quote ${quote} is not closed` };
  const left = text.slice(match[0].length);
  if (left !== "" && !/^\s/.test(left)) return { ...none, problem: `a blank is missing after ${match[0]}` };
  return { value: quote === '"' ? match[1].replaceAll(/\\(["\\])/g, "$1") : match[1], left };
}
/** Words for the names, where no name was written. */
function inOrder(known: readonly SkillArgument[], read: Read, typed: string): Pick<Read, "given" | "text"> {
  if (read.given.size > 0 || endMark.test(typed.trim())) return read;
  const words = wordsOf(read.text, known.length);
  const given = new Map(
    words.slice(0, known.length).map(({ word }, index) => [known[index]?.name ?? "", word]),
  );
  return { given, text: words.at(-1)?.left.trim() ?? "" };
}
/** The first words of a text, quoted ones whole, each with what stands behind it. An open quote is a letter like others. */
export function wordsOf(
  text: string,
  most = Infinity,
): readonly { readonly word: string; readonly left: string }[] {
  const words: { word: string; left: string }[] = [];
  let rest = text.trim();
  while (rest !== "" && words.length < most) {
    const read = readValue(rest);
    const plain = /^\S+/.exec(rest)?.[0] ?? rest;
    const { value, left } =
      read.problem === undefined ? read : { value: plain, left: rest.slice(plain.length) };
    words.push({ word: value, left });
    rest = left.trimStart();
  }
  return words;
}

/** Undefined: the text is no value of this argument. */
function valueOf(argument: SkillArgument, written: string): unknown {
  const { kind, allowed, items } = argument;
  if (allowed !== undefined && kind !== "list")
    return allowed.find((value) => textOf(value) === written.trim() || textOf(value) === written);
  switch (kind) {
    case "text":
      return written;
    case "boolean":
      return switchOf(written);
    case "number":
    case "integer": {
      const number = written.trim() === "" ? NaN : Number(written);
      const isWanted = kind === "integer" ? Number.isSafeInteger(number) : Number.isFinite(number);
      return isWanted ? number : undefined;
    }
    case "list": {
      const values = listOf(written)?.map((item) =>
        items === undefined || typeof item !== "string" ? item : valueOf(items, item),
      );
      return values?.includes(undefined) === true ? undefined : values;
    }
    case "json":
      return parsed(written);
  }
}
function listOf(written: string): readonly unknown[] | undefined {
  const text = written.trim();
  if (text === "") return [];
  if (!text.startsWith("[")) return text.split(",").map((item) => item.trim());
  const list = parsed(text);
  return Array.isArray(list) ? list : undefined;
}
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Undefined says that it is none; who asked words it with the argument's name.
    return undefined;
  }
}

/** A value as one line of text takes it, unquoted. */
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");
const shownLength = 60;
const shown = (text: string): string =>
  JSON.stringify(text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);

/** `one of "a", "b"`, `a whole number`. */
function allowedWords({ kind, allowed, items }: SkillArgument): string {
  if (allowed !== undefined) return `one of ${allowed.map((value) => JSON.stringify(value)).join(", ")}`;
  switch (kind) {
    case "text":
      return "text";
    case "number":
      return "a number";
    case "integer":
      return "a whole number";
    case "boolean":
      return "true or false";
    case "list":
      return items === undefined ? "a list: a,b" : `a list, each ${allowedWords(items)}: a,b`;
    case "json":
      return "JSON";
  }
}

/** `version=TEXT [draft=true|false]`: what can be typed. */
export const argumentUsage = (schema: JsonSchema): string =>
  argumentsOf(schema)
    .map((argument) => {
      const written = `${argument.name}=${usageOf(argument)}`;
      return argument.required && argument.fallback === undefined ? written : `[${written}]`;
    })
    .join(" ");
const shownChoices = 8;
function usageOf({ kind, allowed, items }: SkillArgument): string {
  if (allowed !== undefined) {
    const words = allowed.slice(0, shownChoices).map((value) => quoted(textOf(value)));
    return `${words.join("|")}${allowed.length > shownChoices ? "|…" : ""}`;
  }
  switch (kind) {
    case "text":
      return "TEXT";
    case "number":
      return "NUMBER";
    case "integer":
      return "INTEGER";
    case "boolean":
      return "true|false";
    case "list":
      return `${items === undefined ? "TEXT" : usageOf(items)},…`;
    case "json":
      return "JSON";
  }
}

/**
 * The line that says these values and this text, as a form sends it: `parseArguments` reads the very same out of it. A
 * value that is undefined is left out.
 */
export function formatArguments(
  schema: JsonSchema,
  values: Readonly<Record<string, unknown>>,
  text: string,
): string {
  const known = argumentsOf(schema);
  const parts = known.flatMap((argument) => {
    const value = Object.hasOwn(values, argument.name) ? values[argument.name] : undefined;
    return value === undefined ? [] : `${argument.name}=${quoted(lineOf(argument, value))}`;
  });
  const rest = text.trim();
  if (rest === "") return parts.join(" ");
  const alone = readKeys(known, rest);
  const isPlain = alone.given.size === 0 && alone.problems.length === 0 && alone.text === rest;
  const isTaken = isInOrder(schema) && parts.length === 0;
  return [...parts, ...(isPlain && !isTaken ? [] : ["--"]), rest].join(" ");
}
/** A list without JSON where no item could be read as another list. */
function lineOf({ kind }: SkillArgument, value: unknown): string {
  if (kind !== "list" || !Array.isArray(value)) return textOf(value);
  const items = value.map(textOf);
  const isPlain =
    items.length > 0 &&
    !items[0]?.startsWith("[") &&
    value.every((item) => !isObject(item) && !Array.isArray(item) && item !== null) &&
    items.every((item) => item !== "" && item === item.trim() && !item.includes(","));
  return isPlain ? items.join(",") : JSON.stringify(value);
}
const quoted = (text: string): string =>
  /^[^\s"'][^\s]*$/.test(text) ? text : `"${text.replaceAll(/(["\\])/g, "\\$1")}"`;
