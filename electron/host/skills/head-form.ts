import { isObject } from "../../../shared/json.ts";
import type { IndexForm } from "../kit/file-index.ts";
import type { Finding } from "../kit/finding.ts";
import type { SkillFields, SkillHead } from "./head.ts";
import type { SkillNeeds } from "./types.ts";

const noFindings: readonly Finding[] = [];
/** Between the parts of a head that is one text. */
const bar = "|";
/** Members of a head that says nothing but its name and what it is for. */
const plainMembers = 5;

/** Whether a head says its name and what it is for, and no more. */
export function isPlain(head: SkillFields): boolean {
  if (head.name === undefined || head.description === undefined || head.findings.length > 0) return false;
  let members = 0;
  for (const _ in head) members++;
  return members === plainMembers;
}
/** How a head stands in the index. Most say a name and a description and no more: those are one text. */
export function createHeadForm(): IndexForm<SkillHead> {
  const linesOf = lineReader();
  return {
    pack(head) {
      if (head.kind !== "fields" || !isPlain(head)) return head;
      const { name = "", description, lines } = head;
      return name.includes(bar) ? head : `${lines.join(" ")}${bar}${name}${bar}${description}`;
    },
    unpack: (packed) =>
      typeof packed === "string" ? plainHead(packed, linesOf) : isHead(packed) ? packed : undefined,
  };
}

type LineReader = (written: string) => SkillFields["lines"] | undefined;
function plainHead(packed: string, linesOf: LineReader): SkillFields | undefined {
  const first = packed.indexOf(bar);
  const second = packed.indexOf(bar, first + 1);
  const lines = second < 0 ? undefined : linesOf(packed.slice(0, first));
  if (!lines) return undefined;
  const name = packed.slice(first + 1, second);
  return { kind: "fields", name, description: packed.slice(second + 1), lines, findings: noFindings };
}
/** Thousands of files have their keys on the same lines: those share one list. */
function lineReader(): LineReader {
  let last: { readonly written: string; readonly lines: SkillFields["lines"] } | undefined;
  return (written) => {
    if (last?.written === written) return last.lines;
    const lines = written.split(" ").map(Number);
    if (!areLines(lines)) return undefined;
    last = { written, lines };
    return lines;
  };
}
const areLines = (value: unknown): value is SkillFields["lines"] =>
  Array.isArray(value) && value.length === 4 && value.every((line) => Number.isInteger(line));

const isText = (value: unknown): value is string => typeof value === "string";
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isTrue = (value: unknown): boolean => value === true;
type Check = (value: unknown) => boolean;
const needs: { readonly [K in keyof SkillNeeds]?: Check } = {
  tools: areTexts,
  allowedTools: areTexts,
  keywords: areTexts,
  model: isText,
};
const optional: { readonly [K in keyof SkillFields]?: Check } = {
  name: isText,
  description: isText,
  noText: areTexts,
  whenToUse: isText,
  license: isText,
  compatibility: isText,
  metadata: isObject,
  scope: isText,
  needs: (value) => isObject(value) && fitsAll(value, needs),
  hiddenFromModel: isTrue,
  modelOnly: isTrue,
};
function fitsAll(value: Readonly<Record<string, unknown>>, checks: Readonly<Record<string, Check>>): boolean {
  for (const key in checks) if (value[key] !== undefined && !checks[key]?.(value[key])) return false;
  return true;
}

function isHead(value: unknown): value is SkillHead {
  if (!isObject(value) || !Array.isArray(value["findings"]) || !value["findings"].every(isFinding))
    return false;
  const { kind } = value;
  if (kind === "broken") return true;
  if (kind === "inferred")
    return (
      (value["firstText"] === null || isText(value["firstText"])) &&
      (value["linkedOut"] === undefined || value["linkedOut"] === true)
    );
  if (kind !== "fields" || !areLines(value["lines"])) return false;
  return fitsAll(value, optional);
}
const isFinding = (value: unknown): value is Finding =>
  isObject(value) &&
  isText(value["code"]) &&
  isText(value["message"]) &&
  ["error", "warning", "info"].includes(String(value["severity"])) &&
  (value["line"] === undefined || typeof value["line"] === "number") &&
  (value["fix"] === undefined || isText(value["fix"]));
