import { isObject, type JsonObject } from "../../../shared/json.ts";

/** What the lines between two fences say, or where they stop being YAML. */
type YamlBlock =
  | { readonly ok: true; readonly data: JsonObject; readonly written: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly problem: YamlProblem };
export interface YamlProblem {
  readonly message: string;
  /** 0-based within the block. */
  readonly line: number;
  /** The same of another line that the message ends with. */
  readonly twin?: number;
  /** It is too much of anything: no reading of its entries makes it less. */
  readonly isLimit?: true;
}
/** Same text, same answer; never throws, evaluates nothing. */
export type ReadYaml = (block: string) => YamlBlock;

/** Far beyond what a person writes, and little enough to walk in a moment (an alias bomb has a billion values). */
const mostValues = 20_000;
const deepest = 64;
/** YAML knows no longer key; thousands of values below one that is would each hold it. */
const longestPath = 1024;
/** gray-matter takes quadratic time for blank lines that follow each other. */
const longestGap = 1000;
const tooLongGap = new RegExp(`\\n\\s{${longestGap}}`);
/** js-yaml passes over a tab as if the line began at its left edge, and makes another tree of it. */
const tabIndent = /(?:^|\n)\t+[^\s]/;

/** gray-matter with all of its engines but YAML refused; loaded with the first call. */
export async function loadYamlReader(): Promise<ReadYaml> {
  const { default: matter } = await import("gray-matter");
  const refuse = (): never => {
    throw new Error("only YAML front matter is read");
  };
  // An options object keeps gray-matter from its cache, which answers {} for a text that failed before.
  const options = {
    language: "yaml",
    schema,
    engines: { json: refuse, javascript: refuse, js: refuse, coffee: refuse },
  };
  const listening = { ...options, listener: refuseSecondKey };
  return (block) => {
    if (block.length > longestGap && tooLongGap.test(block))
      return tooMuch("it holds more than a thousand blank characters in a row");
    if (block.includes("\t")) {
      const tab = tabIndent.exec(block);
      if (tab) return fail("a line is indented with a tab", lineOf(block, tab.index + 1));
    }
    try {
      const data: unknown = matter(
        `---\n${block}\n---\n`,
        closesValue.test(block) ? listening : options,
      ).data;
      if (!isObject(data)) return fail("it is no map of keys to values", 0);
      return toJson(data);
    } catch (thrown) {
      return problemOf(thrown);
    }
  };
}

/** What js-yaml shows of itself before and behind each node. */
interface Parsing {
  readonly input: string;
  readonly position: number;
  readonly lineStart: number;
  readonly line: number;
}
/** In the shape of js-yaml's own exception. */
class SecondKey extends Error {
  readonly reason = "text follows a closed value on its line";
  readonly mark: { readonly line: number };
  constructor(line: number) {
    super();
    this.mark = { line };
  }
}
const closesValue = /["'\]}]/;
/** `a: "b" c: d`: js-yaml takes what follows the closed value as the next key of the map, and YAML does not. */
function refuseSecondKey(event: string, { input, position, lineStart, line }: Parsing): void {
  if (event !== "open") return;
  let before = position - 1;
  while (before >= lineStart && (input[before] === " " || input[before] === "\t")) before--;
  if (before >= lineStart && closesValue.test(input[before] ?? "")) throw new SecondKey(line);
}

const fail = (message: string, line: number): YamlBlock => ({ ok: false, problem: { message, line } });
const tooMuch = (message: string): YamlBlock => ({
  ok: false,
  problem: { message, line: 0, isLimit: true },
});
const lineOf = (block: string, at: number): number => block.slice(0, at).split("\n").length - 1;

function problemOf(thrown: unknown): YamlBlock {
  if (thrown instanceof RangeError) return tooMuch(`it is nested more than ${deepest} levels deep`);
  if (thrown instanceof TooMuch) return tooMuch(thrown.message);
  // js-yaml's exception: `reason` without the place, `mark` with it (0-based).
  const { reason, mark } = isObject(thrown) ? thrown : {};
  const line = isObject(mark) && typeof mark["line"] === "number" ? mark["line"] : 1;
  // gray-matter hands the line end after the fence over too.
  return fail(typeof reason === "string" ? reason : String(thrown), Math.max(0, line - 1));
}

/**
 * A plain scalar that some YAML reads as something else than text. Kept as it is written until the whole is known;
 * js-yaml makes a key of it by `toString`, which it calls for what has a tag of its own.
 */
class NoText {
  readonly written: string;
  constructor(written: string) {
    this.written = written;
  }
  get [Symbol.toStringTag](): string {
    return "NoText";
  }
  toString(): string {
    return this.written;
  }
}

/** Numbers, truth values and null of YAML 1.2's core schema, which decide the value. */
const truth = /^(?:true|True|TRUE|false|False|FALSE)$/;
const nothing = /^(?:~|null|Null|NULL)$/;
const number =
  /^(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|0o[0-7]+|0x[\da-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
/** What YAML 1.1 reads as a date, a number to the base 60 or a truth value, and so do other clients: text here. */
const elsewhere =
  /^(?:\d{4}-\d\d?-\d\d?(?:[Tt\s].*)?|[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?|[-+]?(?:0x[\da-fA-F_]+|0b[01_]+|\d[\d_]*(?:\.[\d_]*)?)|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$/;
const mayBeNoText = /^[-+.~\dnNtTfFyYoO]/;

const scalar = (tag: string, construct: (text: string) => unknown) => ({
  kind: "scalar",
  tag,
  resolve: () => true,
  construct,
});
/** In the shape that js-yaml compiles its own schemas to. Merge keys and dates are no part of YAML 1.2. */
const schema = {
  compiledImplicit: [
    {
      kind: "scalar",
      tag: "?",
      resolve: (text: string) =>
        mayBeNoText.test(text) &&
        (number.test(text) || truth.test(text) || nothing.test(text) || elsewhere.test(text)),
      construct: (text: string) => new NoText(text),
    },
  ],
  compiledTypeMap: {
    scalar: {
      "tag:yaml.org,2002:str": scalar("tag:yaml.org,2002:str", (text) => text),
    },
    sequence: {},
    mapping: {},
    fallback: {},
  },
};

class TooMuch extends Error {}

/** Copies what js-yaml made: aliases apart from each other, nothing but JSON, and bounded. */
function toJson(root: JsonObject): YamlBlock {
  const written: Record<string, string> = {};
  let values = 0;
  const copy = (value: unknown, at: string, depth: number): unknown => {
    if (++values > mostValues) throw new TooMuch(`it holds more than ${mostValues} values`);
    if (depth > deepest) throw new TooMuch(`it is nested more than ${deepest} levels deep`);
    if (value instanceof NoText) {
      if (at.length <= longestPath) written[at] = value.written;
      return meant(value.written);
    }
    const below = (key: string | number): string => (depth === 0 ? String(key) : `${at}.${key}`);
    if (Array.isArray(value)) return value.map((part: unknown, index) => copy(part, below(index), depth + 1));
    if (!isObject(value)) return value;
    const made: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const part = value[key];
      // Most values are text: nothing is called for them.
      if (typeof part === "string") values++;
      set(made, key, typeof part === "string" ? part : copy(part, below(key), depth + 1));
    }
    return made;
  };
  const data = copy(root, "", 0);
  return { ok: true, data: isObject(data) ? data : {}, written };
}

function set(made: Record<string, unknown>, key: string, value: unknown): void {
  // The one key that would not become one.
  if (key === "__proto__")
    Object.defineProperty(made, key, { value, enumerable: true, writable: true, configurable: true });
  else made[key] = value;
}

/** JSON has no infinity: what is not finite stays text. */
function meant(text: string): unknown {
  if (truth.test(text)) return text.toLowerCase() === "true";
  if (nothing.test(text)) return null;
  if (!number.test(text)) return text;
  const value = Number(text.replace(/^\+/, ""));
  return Number.isFinite(value) ? value : text;
}
