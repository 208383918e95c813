import { parseArgs } from "node:util";

/** A wrong call: exit code 2, the message and how it is meant (cli.md). */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Every flag of cli.md. A command names those it takes. */
const flags = {
  workspace: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
  port: { type: "string" },
  "no-open": { type: "boolean" },
  model: { type: "string" },
  agent: { type: "string" },
  session: { type: "string" },
  approval: { type: "string" },
  sandbox: { type: "string" },
  allow: { type: "string", multiple: true },
  tools: { type: "string" },
  "max-steps": { type: "string" },
  wait: { type: "string" },
  output: { type: "string" },
  file: { type: "string" },
  source: { type: "string" },
  scope: { type: "string" },
  kind: { type: "string" },
  set: { type: "string", multiple: true },
  yes: { type: "boolean" },
  format: { type: "string" },
  contribution: { type: "string" },
  explain: { type: "boolean" },
  add: { type: "boolean" },
} as const;
export type FlagName = keyof typeof flags;
/** Flags that every command takes. */
const everywhere: readonly FlagName[] = ["workspace", "json", "help"];

export interface Arguments {
  /** The folder of the built entries, from which the paths of other built files come. */
  readonly built: string;
  /** `mcp call` → `["mcp", "call"]` are taken off by the caller; the rest are values. */
  readonly positionals: readonly string[];
  text(name: FlagName): string | undefined;
  list(name: FlagName): readonly string[];
  has(name: FlagName): boolean;
  given(): readonly FlagName[];
}

/** @throws UsageError for an unknown flag or a flag without its value. */
export function parseArguments(argv: readonly string[], built: string): Arguments {
  let parsed;
  try {
    parsed = parseArgs({ args: [...argv], options: flags, allowPositionals: true, strict: true });
  } catch (error) {
    const message = error instanceof Error ? error.message.split(". To specify")[0] : String(error);
    throw new UsageError(message);
  }
  const values: Readonly<Record<string, unknown>> = parsed.values;
  return {
    built,
    positionals: parsed.positionals,
    text(name) {
      const value = values[name];
      return typeof value === "string" ? value : undefined;
    },
    list(name) {
      const value = values[name];
      return Array.isArray(value) ? value.map(String) : [];
    },
    has: (name) => values[name] !== undefined,
    given: () => Object.keys(values) as FlagName[],
  };
}

/** @throws UsageError where a flag stands that `usage` does not take. */
export function allowFlags(args: Arguments, allowed: readonly FlagName[], usage: string): void {
  const extra = args.given().find((name) => !allowed.includes(name) && !everywhere.includes(name));
  if (extra !== undefined) throw new UsageError(`--${extra} is not known here. Usage: ${usage}`);
}

/** The word given, where it is one of `words`. @throws UsageError naming the words. */
export function oneOf<T extends string>(args: Arguments, name: FlagName, words: readonly T[]): T | undefined {
  const value = args.text(name);
  if (value === undefined) return undefined;
  const word = words.find((candidate) => candidate === value);
  if (word === undefined) throw new UsageError(`--${name} is one of ${words.join(", ")}, not "${value}"`);
  return word;
}

/** A whole number from `least`. @throws UsageError */
export function wholeNumber(args: Arguments, name: FlagName, least: number): number | undefined {
  const value = args.text(name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least)
    throw new UsageError(`--${name} is a whole number from ${least}, not "${value}"`);
  return number;
}

/** Exactly the positionals that a usage line names. @throws UsageError */
export function positional(args: Arguments, index: number, name: string, usage: string): string {
  const value = args.positionals[index];
  if (value === undefined) throw new UsageError(`${name} is missing. Usage: ${usage}`);
  return value;
}
/** @throws UsageError where more words stand than a usage line names. */
export function atMost(args: Arguments, count: number, usage: string): void {
  const extra = args.positionals[count];
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many. Usage: ${usage}`);
}
/** Words that are no JSON at all are most likely a command. */
const example = (text: string): string =>
  `'${JSON.stringify({ command: /^[\w./ -]{1,60}$/.test(text) ? text : "git status" }).replace(":", ": ")}'`;
/** An object written as JSON. @throws UsageError with the parser's message. */
export function jsonObject(text: string, name: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // "JSON is no JSON" would be said of the usual name.
    const what = name === "JSON" ? "this" : name;
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `${what} is no JSON: ${why}; write the arguments as an object, for example ${example(text)}`,
    );
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`${name} is a JSON object, for example '{"command": "git status"}'`);
  return value as Record<string, unknown>;
}
