import type { Finding } from "./finding.ts";
import type { ReadYaml, YamlProblem } from "./yaml-block.ts";
import { entriesOf, keyAtStart, type YamlEntry } from "./yaml-entries.ts";

/** An entry that was no YAML, and what it was read as. */
export interface EntryRepair {
  readonly entry: YamlEntry;
  /** 0-based, of what is wrong within the block. */
  readonly line: number;
  /** Empty where the entry is left out. */
  readonly lines: readonly string[];
  /** Nobody can doubt what was meant: a file may be changed so. */
  readonly certain: boolean;
  readonly finding: Omit<Finding, "line">;
}
export interface BlockRepair {
  readonly block: string;
  readonly repairs: readonly EntryRepair[];
}
/** Keys that do not hold one text: a list, which may be written as text, or a map, which may not. */
export type StructuredKeys = ReadonlyMap<string, "list" | "map">;
export const noStructuredKeys: StructuredKeys = new Map();
/** Which entry nobody can read; undefined where none is broken by itself. */
type Refused = { readonly problem: YamlProblem | undefined };

/**
 * Reads a block that is no YAML once more, entry by entry (spec 3, Lenient loading): a value that holds a colon or
 * begins with what YAML keeps for itself as if it were quoted, tabs as blanks. A fault in an entry that is not
 * `needed` never keeps the others from being read: its text is taken as it is written, or it is left out where it is
 * `structured` and so no text.
 */
export function repairBlock(
  block: string,
  needed: ReadonlySet<string>,
  readYaml: ReadYaml,
  structured: StructuredKeys = noStructuredKeys,
): BlockRepair | Refused {
  const repairs: EntryRepair[] = [];
  const lines: string[] = [];
  const seen = new Map<string, FirstEntry>();
  const isAnchor = anchorsOf(block);
  for (const entry of entriesOf(block)) {
    const first = entry.key === undefined ? undefined : seen.get(entry.key);
    if (entry.key !== undefined && !first) seen.set(entry.key, { line: entry.line, text: textOf(entry) });
    const repair = first
      ? withoutTwin(entry, first, needed)
      : repairEntry(entry, isAnchor, needed, readYaml, structured);
    if (repair && "message" in repair) return { problem: repair };
    if (repair) repairs.push(repair);
    lines.push(...(repair?.lines ?? entry.lines));
  }
  return repairs.length === 0 ? { problem: undefined } : { block: lines.join("\n"), repairs };
}

/** Its text is made once: thousands may be compared with it. */
interface FirstEntry {
  readonly line: number;
  readonly text: string;
}
/** YAML knows no key twice. The first one counts; of a needed key nobody knows which was meant. */
function withoutTwin(
  entry: YamlEntry,
  first: FirstEntry,
  needed: ReadonlySet<string>,
): EntryRepair | YamlProblem {
  const { key = "", line } = entry;
  const certain = textOf(entry) === first.text;
  if (!certain && needed.has(key))
    return { message: `${key} stands in it twice, first on line`, line, twin: first.line };
  return {
    entry,
    line,
    lines: [],
    certain,
    finding: {
      code: certain ? "frontmatter-duplicate" : "frontmatter-twice",
      severity: "warning",
      message: `${key} stands in the front matter twice; the first one counts`,
      fix: "remove one of the two",
    },
  };
}
const textOf = ({ lines }: YamlEntry): string => lines.join("\n").trimEnd();

type IsAnchor = (name: string) => boolean;
/** The names that a block gives; looked for once, with the first question. */
function anchorsOf(block: string): IsAnchor {
  let names: ReadonlySet<string> | undefined;
  return (name) => {
    names ??= new Set(block.match(/&[^\s,[\]{}]+/g));
    return names.has(`&${name}`);
  };
}
/** What another entry gives a name to is known to the whole alone. */
function hasAnchor({ message }: YamlProblem, isAnchor: IsAnchor): boolean {
  const alias = /^unidentified alias "(.*)"$/.exec(message)?.[1];
  return alias !== undefined && isAnchor(alias);
}

function repairEntry(
  entry: YamlEntry,
  isAnchor: IsAnchor,
  needed: ReadonlySet<string>,
  readYaml: ReadYaml,
  structured: StructuredKeys,
): EntryRepair | YamlProblem | undefined {
  const { key, lines, line } = entry;
  const alone = readYaml(lines.join("\n"));
  if (key === undefined || alone.ok || hasAnchor(alone.problem, isAnchor)) return undefined;

  const reads = (candidate: readonly string[]): boolean => readYaml(candidate.join("\n")).ok;
  const untabbed = withoutTabs(lines);
  if (untabbed && reads(untabbed)) return { entry, line, lines: untabbed, certain: true, finding: tabs(key) };
  const base = untabbed ?? lines;
  const kind = structured.get(key);
  // Of what decides anything else than its name and purpose, nobody guesses where it ends.
  const mayGoOn = !needed.has(key) || key === "name" || key === "description" || lines.length === 1;
  const isKey = (word: string): boolean => needed.has(word) || structured.has(word);
  const quoted = (kind === "map" || !mayGoOn ? undefined : quoteValue(base, kind, isKey)) ?? quoteBelow(base);
  if (quoted && reads(quoted.lines))
    return {
      entry,
      line: line + quoted.at,
      lines: quoted.lines,
      certain: true,
      finding: quoted.finding(key),
    };
  // Of a quote that is never closed YAML only sees that the text ends.
  const within = alone.problem.line < textOf(entry).split("\n").length ? alone.problem.line : 0;
  const { message } = alone.problem;
  if (needed.has(key)) return { message, line: line + within };
  if (kind) return { entry, line: line + within, lines: [], certain: false, finding: leftOut(key, message) };
  const certain = lines.length === 1;
  const finding = certain ? raw(key) : { ...raw(key), code: "frontmatter-unread" };
  return { entry, line, lines: asWritten(lines), certain, finding };
}

const tabs = (key: string): Omit<Finding, "line"> => ({
  code: "frontmatter-tab",
  severity: "warning",
  message: `${key} is indented with tabs, which YAML does not take; each was read as two blanks`,
  fix: "indent with blanks",
});
const colon = (key: string): Omit<Finding, "line"> => ({
  code: "frontmatter-colon",
  severity: "warning",
  message: `unquoted ': ' in the value of ${key} – repaired: it was read as if it stood in quotes`,
  fix: `put the value of ${key} in quotes`,
});
const raw = (key: string): Omit<Finding, "line"> => ({
  code: "frontmatter-raw",
  severity: "warning",
  message: `the value of ${key} is no YAML – repaired: it was taken as it is written`,
  fix: `put the value of ${key} in quotes`,
});
const dangling = (key: string): Omit<Finding, "line"> => ({
  code: "frontmatter-raw",
  severity: "warning",
  message: `a line of the value of ${key} is not indented – repaired: it was read as part of the value`,
  fix: "begin the line with two blanks",
});
const leftOut = (key: string, message: string): Omit<Finding, "line"> => ({
  code: "frontmatter-left-out",
  severity: "warning",
  message: `the value of ${key} is no YAML and was left out: ${message}`,
  fix: `correct ${key}, or put its parts in quotes`,
});

/** Tabs before the text as two blanks each; undefined where there are none, or blanks among them leave it open. */
function withoutTabs(lines: readonly string[]): readonly string[] | undefined {
  const indents = lines.map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  if (!indents.some((indent) => indent.includes("\t"))) return undefined;
  if (indents.some((indent, index) => indent.includes(" ") && lines[index]?.trim() !== "")) return undefined;
  return lines.map((line, index) => line.replace(/^\t+/, "  ".repeat(indents[index]?.length ?? 0)));
}

interface Quoted {
  readonly lines: readonly string[];
  /** 0-based, of the first line that is no YAML. */
  readonly at: number;
  readonly finding: (key: string) => Omit<Finding, "line">;
}
/** What YAML keeps for itself: no plain value begins with it, and nothing else was meant than text. */
const reserved = /^(?:[@`%]|!(?![!<])|\*(?=\S))/;
/** `[a] [b]`, `{a}. b`, `"a" b: c`: a list, a map or a text in quotes, and then more on its line. */
const closedAndMore =
  /^(?:\[[^\]\n]*\]\s*|\{[^}\n]*\}\s*|(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')\s+)[^\s#,\]}]/;
/** No quote, list, map, block or comment: what stands below can only go on with it. */
const isPlain = (value: string): boolean => /^(?:[^\s"'[\]{},|>&*!#@`%?:-]|[?:-]\S)/.test(value);
/** A setting whose colon or blank is missing: it would be lost in the text above it. */
const settingLike = /^["']?[A-Za-z_][\w.-]*["']?[ \t]*[:=]/;
const firstWord = (line: string): string => /^[\w.-]*/.exec(line)?.[0] ?? "";

/** The value of the first level in quotes; a value over several lines is folded into one. */
function quoteValue(
  lines: readonly string[],
  kind: "list" | undefined,
  isKey: (word: string) => boolean,
): Quoted | undefined {
  const [first = "", ...rest] = lines;
  const match = keyAtStart.exec(first);
  if (!match) return undefined;
  const parts = [first.slice(match[0].length), ...rest].map((line) => line.trim());
  const value = parts.filter((part) => part !== "").join(" ");
  const holdsColon = /:(?:\s|$)/.test(value);
  // No list begins so.
  if (kind === "list" && reserved.test(value)) return undefined;
  const edge = rest.findIndex((line) => /^\S/.test(line));
  // Below a blank line it may be the body of a file whose block is not closed.
  const goesOn =
    isPlain(parts[0] ?? "") &&
    !/\s#/.test(value) &&
    !rest.some((line) => /^(?:-\s|\s*$)/.test(line) || settingLike.test(line) || isKey(firstWord(line)));
  if (edge >= 0 && !goesOn) return undefined;
  if (!holdsColon && !reserved.test(value) && !closedAndMore.test(value) && edge < 0) return undefined;
  // A line below that is a pair itself was meant as one: nobody knows which way to read it.
  const isOpen = /^[|>]/.test(value) || rest.some((line) => keyAtStart.test(line.trimStart()));
  if (isOpen || rest.some((line) => /^\s*#/.test(line))) return undefined;
  return {
    lines: [`${match[0]} ${quoted(value)}`],
    at: !holdsColon && edge >= 0 ? 1 + edge : 0,
    finding: holdsColon && !value.startsWith("[") ? colon : edge >= 0 ? dangling : raw,
  };
}
/** A YAML scalar that is this text and nothing else. */
export const quoted = (value: string): string =>
  /\p{Cc}/u.test(value) ? JSON.stringify(value) : `'${value.replaceAll("'", "''")}'`;

const pairBelow = /^([ \t]+(?:- +)?["']?[A-Za-z_][\w.-]*["']?[ \t]*:[ \t]+)([^\s|>&*!#].*)$/;
/** The same for values one level deeper that stand on a line of their own. */
function quoteBelow(lines: readonly string[]): Quoted | undefined {
  const changed = lines.map((line) => {
    const [, head, rest] = pairBelow.exec(line) ?? [];
    const value = rest?.trimEnd();
    if (head === undefined || value === undefined || !/:(?:\s|$)/.test(value)) return line;
    return /^["'[{]/.test(value) && !closedAndMore.test(value) ? line : head + quoted(value);
  });
  const at = changed.findIndex((line, index) => line !== lines[index]);
  return at < 0 ? undefined : { lines: changed, at, finding: colon };
}

/** The whole entry as one text. */
function asWritten(lines: readonly string[]): readonly string[] {
  const [first = "", ...rest] = lines;
  const match = keyAtStart.exec(first)?.[0] ?? "";
  const value = [first.slice(match.length), ...rest].map((line) => line.trim()).filter((part) => part !== "");
  return [`${match} ${quoted(value.join(" "))}`];
}
