import { isObject } from "../../../shared/json.ts";
import type { IndexForm } from "../kit/file-index.ts";
import type { Finding } from "../kit/finding.ts";
import type { SkillFields, SkillHead } from "./head.ts";

const noFindings: readonly Finding[] = [];
/** Between the parts of a head that is one text. */
const bar = "|";
/** Members of a head that says nothing but its name and what it is for. */
const plainMembers = 5;

type PlainFields = SkillFields & { readonly name: string; readonly description: string };
/** Whether a head says its name and what it is for, and no more. */
export function isPlain(head: SkillFields): head is PlainFields {
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
      const { name, description, lines } = head;
      if (name.includes(bar)) return head;
      return `${lines[0]} ${lines[1]} ${lines[2]} ${lines[3]}${bar}${name}${bar}${description}`;
    },
    unpack: (packed) =>
      typeof packed === "string" ? plainHead(packed, linesOf) : isHead(packed) ? packed : undefined,
  };
}
/** The index hands out what was packed, or nothing. */
const isHead = (packed: unknown): packed is SkillHead => isObject(packed);

type LineReader = (written: string) => SkillFields["lines"];
function plainHead(packed: string, linesOf: LineReader): PlainFields {
  const first = packed.indexOf(bar);
  const second = packed.indexOf(bar, first + 1);
  const lines = linesOf(packed.slice(0, first));
  const name = packed.slice(first + 1, second);
  return { kind: "fields", name, description: packed.slice(second + 1), lines, findings: noFindings };
}
/** Thousands of files have their keys on the same lines: those share one list. */
function lineReader(): LineReader {
  let last: { readonly written: string; readonly lines: SkillFields["lines"] } | undefined;
  return (written) => {
    if (last?.written === written) return last.lines;
    const [name = 0, description = 0, compatibility = 0, scope = 0] = written.split(" ").map(Number);
    last = { written, lines: [name, description, compatibility, scope] };
    return last.lines;
  };
}
