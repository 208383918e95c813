import type { JsonSchema } from "../../../../shared/json-schema.ts";
import { inOrder } from "../../../../shared/skill-arguments.ts";
import { parseArguments } from "../../../../shared/skill-arguments-text.ts";
import type { Prompt } from "./offered-lists.ts";

/** How a prompt's arguments are typed behind its command, and the server's own names of them. */
export interface PromptArguments {
  /** Undefined: it takes none. */
  readonly schema: JsonSchema | undefined;
  /** `CITY [STATE]`, as the list of commands shows it; undefined: it takes none. */
  readonly hint: string | undefined;
  /** The server's name of an argument by the one that is typed. */
  readonly nameOf: ReadonlyMap<string, string>;
}
/** A server may name an argument as it likes; what is typed is a word. */
function typedName(name: string, taken: ReadonlyMap<string, string>): string {
  const word = name.replaceAll(/[^\w-]/g, "_").replace(/^(?=[^A-Za-z_]|__)/, "a");
  const safe = word === "ARGUMENTS" ? "arguments" : word;
  let one = safe;
  for (let number = 2; taken.has(one); number++) one = `${safe}${number}`;
  return one;
}
export function promptArguments({ arguments: declared }: Prompt): PromptArguments {
  if (declared.length === 0) return { schema: undefined, hint: undefined, nameOf: new Map() };
  const nameOf = new Map<string, string>();
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const { name, description, required: must } of declared) {
    const typed = typedName(name, nameOf);
    nameOf.set(typed, name);
    properties[typed] = { type: "string", ...(description === "" ? {} : { description }) };
    if (must) required.push(typed);
  }
  const words = [...nameOf.keys()].map((name) => (required.includes(name) ? name : `[${name}]`));
  return {
    schema: { type: "object", properties, required, [inOrder]: true },
    hint: words.join(" "),
    nameOf,
  };
}

/** What was typed behind a prompt's command. */
export interface TypedPrompt {
  /** By the server's names. */
  readonly values: Readonly<Record<string, string>>;
  /** What is no argument: the person's own words. */
  readonly text: string;
  /** One sentence each, naming the argument; empty where all is well. */
  readonly problems: readonly string[];
}
/**
 * Reads `NAME=value …`, or words that take the names in order, the last name all that is left. Quotes as for skills.
 */
export function readPromptArguments({ schema, nameOf }: PromptArguments, typed: string): TypedPrompt {
  if (schema === undefined) return { values: {}, text: typed.trim(), problems: [] };
  const { values, text, problems } = parseArguments(schema, typed);
  const names = [...nameOf.keys()];
  const last = names.at(-1) ?? "";
  const isNamed = names.some((name) => typed.trimStart().startsWith(`${name}=`));
  const takesRest = !isNamed && text !== "" && values[last] !== undefined;
  const given = takesRest ? { ...values, [last]: `${String(values[last])} ${text}` } : values;
  return {
    values: Object.fromEntries(
      Object.entries(given).map(([name, value]) => [nameOf.get(name) ?? name, String(value)]),
    ),
    text: takesRest ? "" : text,
    problems,
  };
}
