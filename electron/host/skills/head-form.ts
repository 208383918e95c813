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
export const headForm: IndexForm<SkillHead> = {
  pack(head) {
    if (head.kind !== "fields" || !isPlain(head)) return head;
    const { name, description, lines } = head;
    return name.includes(bar) ? head : `${lines.join(" ")}${bar}${name}${bar}${description}`;
  },
  unpack: (packed) => (typeof packed === "string" ? plainHead(packed) : isHead(packed) ? packed : undefined),
};
/** The index hands out what was packed, or nothing. */
const isHead = (packed: unknown): packed is SkillHead => isObject(packed);

function plainHead(packed: string): PlainFields {
  const first = packed.indexOf(bar);
  const second = packed.indexOf(bar, first + 1);
  const [line = 0, description = 0, compatibility = 0, scope = 0] = packed
    .slice(0, first)
    .split(" ")
    .map(Number);
  return {
    kind: "fields",
    name: packed.slice(first + 1, second),
    description: packed.slice(second + 1),
    lines: [line, description, compatibility, scope],
    findings: noFindings,
  };
}
