import type { JsonSchema } from "./json-schema.ts";
import { argumentsOf } from "./skill-arguments.ts";
import { parseArguments, wordsOf } from "./skill-arguments-text.ts";

/** A skill's body with what was typed in it. */
export interface FilledBody {
  readonly body: string;
  /** What was typed and did not go into the body: it follows. */
  readonly text: string;
  /** Why nothing can be sent; one sentence each. */
  readonly problems: readonly string[];
}

/**
 * Puts what was typed into a skill's body (spec 3): `{{name}}`, `$name`, `$1` and `$ARGUMENTS`, the whole of what was
 * typed. Only what is known is replaced: a declared name, a number up to the count of arguments. Where none are declared:
 * up to the count of typed words, and up to where the body itself counts from `$1` without a gap, at most to `$9`. So `$HOME`,
 * `$2.50`, `{{mustache}}` and a lone `$5` stay, and so does a placeholder behind a backslash, which goes (`\$name` →
 * `$name`). What was put in is not looked at again. An argument without a value, and a number without a word, give nothing.
 * Where arguments are declared and the body names none, they follow it as a list.
 * @param schema as `skillArguments` makes it; null: the skill declares none
 */
export function fillBody(body: string, schema: JsonSchema | null, typed: string): FilledBody {
  if (schema === null) return fillWords(body, typed.trim());
  const { values, text, problems } = parseArguments(schema, typed);
  const known = argumentsOf(schema).map(
    ({ name }) => [name, Object.hasOwn(values, name) ? valueText(values[name]) : ""] as const,
  );
  const filled = replacePlaceholders(body, {
    names: new Map(known),
    numbered: known.map(([, value]) => value),
    typed: typed.trim(),
  });
  const list = known.filter(([name]) => Object.hasOwn(values, name));
  const isListed = list.length > 0 && !filled.usesNames && !filled.usesTyped && filled.highest === 0;
  return {
    body: isListed ? `${filled.body.trimEnd()}\n\n${listed(list)}` : filled.body,
    text: filled.usesTyped ? "" : text,
    problems,
  };
}
function fillWords(body: string, typed: string): FilledBody {
  const words = wordsOf(typed);
  const given = words.map(({ word }) => word);
  const missing = Math.max(0, countedIn(body) - given.length);
  const filled = replacePlaceholders(body, {
    names: new Map(),
    numbered: [...given, ...Array.from({ length: missing }, () => "")],
    typed,
  });
  const left = filled.highest === 0 ? typed : (words[filled.highest - 1]?.left.trim() ?? "");
  return { body: filled.body, text: filled.usesTyped ? "" : left, problems: [] };
}
const listed = (values: readonly (readonly [name: string, value: string])[]): string =>
  ["Arguments:", ...values.map(([name, value]) => `- ${name}: ${value.replaceAll("\n", "\n  ")}`)].join("\n");

/** As a sentence takes it: a list with commas. */
function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  return JSON.stringify(value) ?? "";
}

interface Placeholders {
  readonly names: ReadonlyMap<string, string>;
  /** `$1` first. */
  readonly numbered: readonly string[];
  readonly typed: string;
}
interface Replaced {
  readonly body: string;
  readonly usesNames: boolean;
  readonly usesTyped: boolean;
  /** The highest number that was replaced; 0 for none. */
  readonly highest: number;
}
/** A number before `.50` or `,50` is an amount of money. */
const placeholder =
  /(\\?)(?:\{\{[ \t]*([A-Za-z_][\w-]*)[ \t]*\}\}|\$(?:([A-Za-z_][\w-]*)|(\d{1,3})(?!\w|[.,]\d)))/g;

const mostCounted = 9;
/** How far a body counts its placeholders from `$1` on without a gap: 2 for `$1 $2 $5`. */
function countedIn(body: string): number {
  const found = new Set<number>();
  for (const [, escape, , , number] of body.matchAll(placeholder))
    if (escape === "" && number !== undefined) found.add(Number(number));
  let count = 0;
  while (count < mostCounted && found.has(count + 1)) count++;
  return count;
}
function replacePlaceholders(body: string, { names, numbered, typed }: Placeholders): Replaced {
  let usesNames = false;
  let usesTyped = false;
  let highest = 0;
  const replaced = body.replaceAll(
    placeholder,
    (all: string, escape: string, braced?: string, named?: string, number?: string) => {
      if (number !== undefined) {
        const at = Number(number);
        const value = numbered[at - 1];
        if (value === undefined) return all;
        if (escape !== "") return all.slice(1);
        highest = Math.max(highest, at);
        return value;
      }
      const name =
        braced === undefined ? knownStart(named ?? "", names) : names.has(braced) ? braced : undefined;
      if (name === undefined) return all;
      if (escape !== "") return all.slice(1);
      if (name === wholeText) usesTyped = true;
      else usesNames = true;
      const value = name === wholeText ? typed : (names.get(name) ?? "");
      return braced === undefined ? value + (named ?? "").slice(name.length) : value;
    },
  );
  return { body: replaced, usesNames, usesTyped, highest };
}
const wholeText = "ARGUMENTS";
/** `$version-beta` is `$version` where that alone is known: a hyphen may belong to the sentence. */
function knownStart(named: string, names: ReadonlyMap<string, string>): string | undefined {
  let name = named;
  while (name !== wholeText && !names.has(name)) {
    const hyphen = name.lastIndexOf("-");
    if (hyphen < 0) return undefined;
    name = name.slice(0, hyphen);
  }
  return name;
}
