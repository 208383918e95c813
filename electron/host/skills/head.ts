import { isObject } from "../../../shared/json.ts";
import { skillArguments } from "../../../shared/skill-arguments.ts";
import { switchOf } from "../../../shared/switch-of.ts";
import type { Finding } from "../kit/finding.ts";
import { namesOf, textOf, type Frontmatter } from "../kit/frontmatter.ts";
import { plainText } from "../kit/frontmatter-split.ts";
import type { StructuredKeys } from "../kit/yaml-repair.ts";
import type { Writable } from "../kit/writable.ts";
import { misspeltKeys, type NearKeys } from "./misspelt-keys.ts";
import type { SkillNeeds } from "./types.ts";

/**
 * What a skill's file says of itself, kept in the index: no setting and no rule of its root has a part in it.
 * `findings` are what is wrong whatever the root.
 */
export type SkillHead =
  | { readonly kind: "broken"; readonly findings: readonly Finding[] }
  | {
      readonly kind: "inferred";
      /** No front matter: the first line of text that is no heading; null where there is none or it may not be shown. */
      readonly firstText: string | null;
      /** The file is a link that leaves its folder: nothing of it may be shown. */
      readonly linkedOut?: true;
      readonly findings: readonly Finding[];
    }
  | SkillFields;
export interface SkillFields {
  readonly kind: "fields";
  readonly name?: string;
  readonly description?: string;
  /** Of these there is a value that is no text. */
  readonly noText?: readonly ("name" | "description")[];
  /** Of these, which are missing, a misspelt key stands there. */
  readonly near?: NearKeys;
  readonly whenToUse?: string;
  readonly license?: string;
  readonly compatibility?: string;
  /** Text to text; what other clients keep there otherwise, as it is. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Kairox's `scope`, as written; where the file lies decides. */
  readonly scope?: string;
  /** Absent where it needs nothing, which most do not. */
  readonly needs?: SkillNeeds;
  readonly hiddenFromModel?: true;
  /** `user-invocable: false`. */
  readonly modelOnly?: true;
  /**
   * 1-based lines of keys that later findings name; of a name or description that is missing, where the front matter
   * opens, else 0; in a list, so that a thousand heads stay small.
   */
  readonly lines: readonly [name: number, description: number, compatibility: number, scope: number];
  readonly findings: readonly Finding[];
}

/** What a skill cannot be loaded without, or would be offered to somebody else (spec 3, Frontmatter). */
export const neededBySkills: ReadonlySet<string> = new Set([
  "name",
  "description",
  "disable-model-invocation",
  "disableModelInvocation",
  "user-invocable",
]);
/** What only asks or decorates: where it cannot be read the skill loads without it. */
export const structuredBySkills: StructuredKeys = new Map([
  ["tools", "list"],
  ["allowed-tools", "list"],
  ["keywords", "list"],
  ["arguments", "list"],
  ["metadata", "map"],
  ["kairox", "map"],
]);

/** Fields that hold text; a repair puts what is none in quotes. */
export const textFields = [
  "name",
  "description",
  "when-to-use",
  "whenToUse",
  "license",
  "compatibility",
  "model",
] as const;

/**
 * @param mayInfer False where the file is a link that leaves its folder: then the first line of a foreign file
 * would reach the model as the description.
 * @param whole The text that `front` was read from.
 */
export function readHead(front: Frontmatter, mayInfer: boolean, whole: string): SkillHead {
  const body: BodyText = { text: front.body, whole };
  const ofBody = (): readonly Finding[] => {
    const hidden = hiddenInBody(body);
    return hidden ? [hidden] : [];
  };
  if (front.kind === "broken") return { kind: "broken", findings: [front.finding, ...ofBody()] };
  if (front.kind === "none")
    return {
      kind: "inferred",
      firstText: mayInfer ? firstText(front.body) : null,
      ...(mayInfer ? {} : { linkedOut: true as const }),
      findings: ofBody(),
    };
  return fieldsOf(front, body);
}

type Parsed = Extract<Frontmatter, { kind: "parsed" }>;
type Tell = (key: string, code: string, message: string, fix?: string) => void;

/** The parts are set one by one: this runs thousands of times when a library is new. */
function fieldsOf(front: Parsed, body: BodyText): SkillFields {
  const findings: Finding[] = [...front.findings];
  const { data, lineOf } = front;
  // A key's line is looked for once: thousands of findings may be about the same one.
  let last: { readonly key: string; readonly line: number | undefined } | undefined;
  const telling =
    (severity: Finding["severity"]): Tell =>
    (key, code, message, fix) => {
      if (last?.key !== key) last = { key, line: lineOf(key) };
      const { line } = last;
      findings.push({
        code,
        severity,
        message,
        ...(line === undefined ? {} : { line }),
        ...(fix === undefined ? {} : { fix }),
      });
    };
  const warn = telling("warning");
  const needs: Writable<SkillNeeds> = {};
  const made: Writable<SkillFields> = {
    kind: "fields",
    lines: linesOf(front),
    findings,
  };
  for (const key of textFields) {
    if (data[key] === undefined) continue;
    // What is wrong with these is the judge's to say, who knows what stands in for them.
    if ((key === "name" || key === "description") && isObjectOrList(data[key])) {
      made.noText = [...(made.noText ?? []), key];
      continue;
    }
    const text = readText(front, key, warn);
    if (text === undefined) continue;
    if (key === "when-to-use" || key === "whenToUse") made.whenToUse ??= text;
    else if (key === "model") needs.model = text;
    else made[key] = text;
  }
  const missing = (["name", "description"] as const).filter(
    (key) => made[key] === undefined && !made.noText?.includes(key),
  );
  const misspelt = misspeltKeys(front, missing);
  if (misspelt.near) made.near = misspelt.near;
  findings.push(...misspelt.findings);
  const scope = data["scope"] === undefined ? undefined : textOf(front, "scope")?.text.trim();
  if (scope !== undefined) made.scope = scope;
  const metadata = metadataOf(front, warn, telling("info"));
  if (metadata) made.metadata = metadata;
  readLists(front, needs);
  const given = data["arguments"];
  if (given !== undefined && given !== null) needs.arguments = given;
  for (const { message, fix } of skillArguments(given)?.problems ?? [])
    warn("arguments", "skill-arguments", message, fix);
  if (isStricter(data, ["disable-model-invocation", "disableModelInvocation"], true, warn))
    made.hiddenFromModel = true;
  if (isStricter(data, ["user-invocable"], false, warn)) made.modelOnly = true;
  if (Object.keys(needs).length > 0) made.needs = needs;
  const whenKey = data["when-to-use"] === undefined ? "whenToUse" : "when-to-use";
  const hidden =
    hiddenText(made.description, () => lineOf("description")) ??
    hiddenText(made.whenToUse, () => lineOf(whenKey)) ??
    hiddenInBody(body);
  const nul = nulIn(body);
  if (hidden) findings.push(hidden);
  if (nul) findings.push(nul);
  if (findings.length === 0) made.findings = nothingFound;
  return made;
}

const nothingFound: readonly Finding[] = [];
function linesOf({ data, lineOf, fence }: Parsed): SkillFields["lines"] {
  return [
    lineOf("name") ?? fence,
    lineOf("description") ?? fence,
    data["compatibility"] === undefined ? 0 : (lineOf("compatibility") ?? 0),
    data["scope"] === undefined ? 0 : (lineOf("scope") ?? 0),
  ];
}

const isObjectOrList = (value: unknown): boolean => typeof value === "object" && value !== null;
function readText(front: Parsed, key: string, warn: Tell): string | undefined {
  const value = textOf(front, key);
  if (value === undefined) {
    if (front.data[key] !== null)
      warn(key, "skill-field-type", `${key} is no text and was left out`, `write ${key} as text`);
    return undefined;
  }
  const text = value.text.trim();
  if (value.coerced)
    warn(
      key,
      "skill-field-coerced",
      `${key} is ${readElsewhere(text)} in YAML; it was taken as it is written: ${text}`,
      `put ${key} in quotes`,
    );
  return text === "" ? undefined : text;
}
/** What a YAML reader makes of a plain value that is no text to it. */
function readElsewhere(written: string): string {
  if (/^(?:~|null)$/i.test(written)) return "nothing (null)";
  if (/^[a-z]+$/i.test(written)) return "true or false";
  return /^\d{4}-\d|:/.test(written) ? "a date or a time" : "a number";
}

const listFields = ["tools", "allowed-tools", "keywords", "kairox"] as const;
function readLists(front: Parsed, needs: Writable<SkillNeeds>): void {
  const { data, written } = front;
  if (listFields.every((key) => data[key] === undefined)) return;
  const kairox = isObject(data["kairox"]) ? data["kairox"] : undefined;
  const list = (key: string, group: string | undefined, read: typeof namesOf): readonly string[] => {
    const nested = group === undefined ? undefined : kairox?.[group];
    const isNested = data[key] === undefined && isObject(nested);
    const at = isNested ? `kairox.${group}.${key}` : key;
    return read(isNested ? nested[key] : data[key], (index) => written[`${at}.${index}`]) ?? [];
  };
  const tools = list("tools", "permissions", namesOf);
  const allowedTools = list("allowed-tools", undefined, namesOf);
  const keywords = list("keywords", "activation", keywordsOf);
  if (tools.length > 0) needs.tools = [...new Set(tools)];
  if (allowedTools.length > 0) needs.allowedTools = [...new Set(allowedTools)];
  if (keywords.length > 0) needs.keywords = [...new Set(keywords)];
}
/** Keywords may be of several words: text with commas is parted there alone. */
const keywordsOf: typeof namesOf = (value, written) =>
  namesOf(typeof value === "string" && /[,，、;；]/.test(value) ? value.split(/[,，、;；]/) : value, written);

/**
 * Whether a switch stands on its stricter side; what is neither true nor false counts as that, and of two spellings
 * that disagree the stricter one counts.
 */
function isStricter(data: Parsed["data"], keys: readonly string[], stricter: boolean, warn: Tell): boolean {
  let found = false;
  for (const key of keys) {
    if (data[key] === undefined) continue;
    const value = switchOf(data[key]);
    if (value === undefined)
      warn(
        key,
        "skill-switch",
        `${key} is neither true nor false; it counts as ${String(stricter)}, the stricter one`,
        `write ${key}: true or ${key}: false`,
      );
    if ((value ?? stricter) === stricter) found = true;
  }
  return found;
}

/**
 * String to string (Agent Skills specification). Many files hold maps and lists of other clients here: those are kept
 * as they are and mean nothing to Nacre.
 */
function metadataOf(front: Parsed, warn: Tell, note: Tell): Readonly<Record<string, unknown>> | undefined {
  const value = front.data["metadata"];
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) {
    warn("metadata", "skill-field-type", "metadata is no map of text to text and was left out");
    return undefined;
  }
  const result: Record<string, unknown> = {};
  const foreign: string[] = [];
  for (const key of Object.keys(value)) {
    const text = front.written[`metadata.${key}`] ?? value[key] ?? "";
    result[key] = text;
    if (typeof text !== "string") foreign.push(key);
  }
  if (foreign.length > 0)
    note(
      "metadata",
      "skill-metadata-foreign",
      `metadata holds what is no text (${foreign.join(", ")}); it is kept and means nothing here`,
    );
  return result;
}

/** The first line that is neither empty nor a heading, a rule or a comment (Hermit). */
function firstText(body: string): string | null {
  const line = withoutComments(body)
    .split("\n")
    .find((candidate) => /^\s*(?!#{1,6}(?:\s|$)|[-=*_]{3,}\s*$)\S/.test(candidate));
  return line?.trim() ?? null;
}

/** One that is never closed is none. By hand: an expression would look for the end of each to the end of the text. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf("<!--", from);
    const close = open < 0 ? -1 : text.indexOf("-->", open + 4);
    if (close < 0) break;
    kept.push(text.slice(from, open));
    from = close + 3;
  }
  return kept.join("") + text.slice(from);
}

/** Tag characters, direction overrides and zero-width characters, which people do not see and models read. */
const invisible = /[\u{E0000}-\u{E007F}\u202A-\u202E\u2066-\u2069\u200B\u2060-\u2064\u00AD]/u;
/** From the first of its kind on (Unicode). */
const invisibleNames: readonly (readonly [from: number, name: string])[] = [
  [0xe0000, "a tag character"],
  [0x2066, "a direction control"],
  [0x2061, "an invisible operator"],
  [0x2060, "a word joiner"],
  [0x202a, "a direction control"],
  [0x200b, "a zero-width space"],
  [0xad, "a soft hyphen"],
];
interface BodyText {
  readonly text: string;
  /** The file that it is the end of. */
  readonly whole: string;
}
/** 1-based in the file. */
function lineInBody({ text, whole }: BodyText, index: number): number {
  const plain = plainText(whole);
  return plain.slice(0, plain.length - text.length + index).split("\n").length;
}
const hiddenInBody = (body: BodyText): Finding | undefined =>
  hiddenText(body.text, (at) => lineInBody(body, at));
function hiddenText(
  text: string | undefined,
  lineAt: (index: number) => number | undefined,
): Finding | undefined {
  const found = text === undefined ? null : invisible.exec(text);
  if (!found) return undefined;
  const line = lineAt(found.index);
  const code = found[0].codePointAt(0) ?? 0;
  const name = invisibleNames.find(([from]) => code >= from)?.[1] ?? "";
  const written = code.toString(16).toUpperCase().padStart(4, "0");
  return {
    code: "skill-hidden-text",
    severity: "warning",
    message: `the file holds invisible characters, which the model reads and people do not see; the first is U+${written}, ${name}`,
    ...(line === undefined ? {} : { line }),
    fix: "look at the file in an editor that shows them, and take them out",
  };
}
function nulIn(body: BodyText): Finding | undefined {
  const at = body.text.indexOf("\0");
  if (at < 0) return undefined;
  return {
    code: "text-nul",
    severity: "warning",
    message: "the text below the front matter holds a NUL byte; it is read as U+FFFD",
    line: lineInBody(body, at),
    fix: "remove the byte, or put what the file should be in its place",
  };
}
