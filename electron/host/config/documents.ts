import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { canonicalJson } from "../../../shared/json.ts";
import type { Pointer } from "./fields.ts";
import {
  byteOrderMark,
  lineIndex,
  parseJsonc,
  tooDeep,
  type Duplicate,
  type ReadResult,
} from "./jsonc-read.ts";
import { mostLevels } from "./jsonc-scan.ts";
import { readRegular } from "./read-regular.ts";
import { tomlLineIndex } from "./toml-lines.ts";

export type Format = "jsonc" | "toml" | "text";
/** One file as it was read. `value` is undefined where there is no file and never was a good one. */
export interface Document {
  readonly path: string;
  readonly exists: boolean;
  readonly value: unknown;
  readonly text: string;
  /** Why the file was not taken: then `value` is the last good one. */
  readonly broken?: Diagnostic;
  /** Keys that stand twice. */
  readonly duplicates: readonly Duplicate[];
  readonly lineOf: (pointer: Pointer) => number | undefined;
}

/**
 * Reads the files of spec 2. A file that breaks keeps its last good value; an unchanged one is not parsed again and
 * stays the same object.
 */
export class Documents {
  readonly #known = new Map<string, Document>();

  /** `from` is the file behind a link that was looked at. */
  async read(path: string, format: Format, from: string = path): Promise<Document> {
    const document = await readDocument({ path, from, format }, this.#known.get(path));
    this.#known.set(path, document);
    return document;
  }
  /** A file that is known not to be there. */
  missing(path: string): Document {
    const before = this.#known.get(path);
    if (before?.exists === false) return before;
    const document = missingDocument(path);
    this.#known.set(path, document);
    return document;
  }
  /** A file that must not be read. Nothing of it counts, whatever it said before. */
  refuse(path: string, reason: string): Document {
    const before = this.#known.get(path);
    const message = `${path} ${reason}; it is not read`;
    if (before?.broken?.message === message) return before;
    const broken = faultOf(path, "file-refused", message, "put a file in place of the link");
    const document = {
      path,
      exists: true,
      value: undefined,
      text: "",
      duplicates: [],
      broken,
      lineOf: noLine,
    };
    this.#known.set(path, document);
    return document;
  }
}

async function readDocument(
  { path, from, format }: { readonly path: string; readonly from: string; readonly format: Format },
  before: Document | undefined,
): Promise<Document> {
  const broken = (code: string, message: string, fix: string, line?: number): Document => {
    const diagnostic = faultOf(path, code, message, fix, line);
    if (before?.broken && canonicalJson(before.broken) === canonicalJson(diagnostic)) return before;
    const kept = before ?? { value: undefined, text: "", duplicates: [] };
    // Lines of the last good text mean nothing in the one that stands there now.
    return { ...kept, path, exists: true, broken: diagnostic, lineOf: noLine };
  };
  let text: string | undefined;
  try {
    text = readRegular(from);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return broken("file-unreadable", message, "make it a readable file");
  }
  if (text === undefined) return before?.exists === false ? before : missingDocument(path);
  if (before?.exists === true && before.broken === undefined && before.text === text) return before;
  if (format === "text") return { path, exists: true, value: text, text, duplicates: [], lineOf: noLine };
  const result = format === "jsonc" ? await parseJsonc(text) : await parseToml(text);
  if (!result.ok) {
    const kept = before?.value === undefined ? "nothing of it counts" : "what it said before still counts";
    const message = `${path} does not parse: ${result.message}; ${kept}`;
    return broken("file-broken", message, "mend this line", result.line);
  }
  const { value, duplicates } = result;
  const lineOf = format === "jsonc" ? lineIndex(text.replace(byteOrderMark, "")) : tomlLineIndex(text);
  return { path, exists: true, value, text, duplicates, lineOf };
}
const noLine = (): undefined => undefined;
const missingDocument = (path: string): Document => ({
  path,
  exists: false,
  value: undefined,
  text: "",
  duplicates: [],
  lineOf: noLine,
});
const faultOf = (path: string, code: string, message: string, fix: string, line?: number): Diagnostic => ({
  code,
  severity: "error",
  message,
  path,
  ...(line === undefined ? {} : { line }),
  fix,
});

async function parseToml(text: string): Promise<ReadResult> {
  const { parse, TomlError } = await import("smol-toml");
  try {
    const value = parse(text.replace(/^\uFEFF/, ""), { maxDepth: mostLevels });
    // The parser counts brackets; dotted names make levels too.
    return isTooDeep(value)
      ? { ok: false, message: tooDeep, line: mostNestedLine(text) }
      : { ok: true, value, duplicates: [] };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = error.message.split("\n")[0] ?? "no TOML";
    if (message.includes("excessively nested")) return { ok: false, message: tooDeep, line: error.line };
    return { ok: false, message: message.replace(/^Invalid TOML document: /, ""), line: error.line };
  }
}

/** Level by level and not by calls of itself, which is what cannot be done with such a value. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostLevels) return true;
    level = level
      .flatMap((member) => (typeof member === "object" && member !== null ? Object.values(member) : []))
      .filter((member) => typeof member === "object" && member !== null);
  }
  return false;
}
/** The 1-based line with the most of what nests in TOML. */
function mostNestedLine(text: string): number {
  const counts = text.split("\n").map((line) => line.replaceAll(/[^.[{]/g, "").length);
  return counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0)) + 1;
}
