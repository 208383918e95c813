import { canonicalJson, isObject } from "../../../shared/json.ts";
import type { DeclarationChange } from "../../../shared/workspace.ts";
import type { ApprovedContent } from "./approvals-file.ts";
import type { Fingerprint, FingerprintFile } from "./digest.ts";

/** More than a person looks at; the last entry says how many are left out. */
const mostChanges = 100;
const mostText = 64 * 1024;

export interface Texts {
  /** What was approved of a file, by its hash; undefined where it was not kept. */
  readonly before: (hash: string) => string | undefined;
  /** What stands in a file now; undefined where it is no short text. */
  readonly after: (file: FingerprintFile) => string | undefined;
}

/**
 * What is different from what was approved: each part of the declaration by the way to it (`args`, `env.TOKEN`), then
 * each file. A list of plain values is one part, as JSON; files show their text where both sides have one, else size and
 * hash.
 */
export function declarationChanges(
  before: ApprovedContent,
  now: Fingerprint,
  texts: Texts,
): DeclarationChange[] {
  const changes = [
    ...partChanges(partsOf(asWritten(before.declaration)), partsOf(asWritten(now.declaration))),
    ...fileChanges(before.files, now.files, texts),
  ];
  if (changes.length <= mostChanges) return changes;
  const left = changes.length - mostChanges;
  return [...changes.slice(0, mostChanges), { what: "…", before: null, after: `+${left}` }];
}

/** Without the kind that a digest is over too. */
const asWritten = (value: unknown): unknown =>
  isObject(value) && "declaration" in value ? value["declaration"] : value;
function partChanges(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): DeclarationChange[] {
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((what) => {
    const [from, to] = [before.get(what) ?? null, now.get(what) ?? null];
    return from === to ? [] : [{ what, before: cut(from), after: cut(to) }];
  });
}
const cut = (text: string | null): string | null =>
  text !== null && text.length > mostText ? `${text.slice(0, mostText)}… (+${text.length - mostText})` : text;

/** Every part by the way to it. Objects are gone into, and lists of objects, whose members go by their name. */
function partsOf(declaration: unknown): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  const add = (what: string, value: unknown): void => {
    if (value === undefined) return;
    if (isObject(value) && Object.keys(value).length > 0) {
      for (const [key, member] of Object.entries(value)) add(what === "" ? key : `${what}.${key}`, member);
    } else if (Array.isArray(value) && value.length > 0 && value.every(isObject)) {
      value.forEach((member, index) => {
        const name = typeof member["name"] === "string" ? member["name"] : String(index);
        const way = `${what}.${name}`;
        // Two of one name are told apart by their place.
        add([...parts.keys()].some((key) => key.startsWith(`${way}.`)) ? `${way}~${index}` : way, member);
      });
    } else parts.set(what, typeof value === "string" ? value : canonicalJson(value));
  };
  add("", declaration);
  return parts;
}

/** What a declaration says beside what it starts: part by part as written, the value cut where it is long. */
export const declaredSettings = (
  declaration: unknown,
  told: readonly string[],
): { readonly name: string; readonly value: string }[] =>
  [...partsOf(declaration)].flatMap(([name, value]) =>
    name === "" || told.includes(name) ? [] : [{ name, value: cut(value) ?? "" }],
  );

function fileChanges(
  before: ApprovedContent["files"],
  now: readonly FingerprintFile[],
  texts: Texts,
): DeclarationChange[] {
  // A link and what it leads to bear one name.
  const key = ({ name, hash }: { name: string; hash: string }): string =>
    `${hash.startsWith("link: ") ? "link" : "file"} ${name}`;
  const old = new Map(before.map((file) => [key(file), file]));
  const current = new Map(now.map((file) => [key(file), file]));
  return [...new Set([...old.keys(), ...current.keys()])].sort().flatMap((name) => {
    const [from, to] = [there(old.get(name)), there(current.get(name))];
    if (from?.hash === to?.hash) return [];
    const what = (to ?? from)?.name ?? name;
    const fromText = from && texts.before(from.hash);
    const toText = to && texts.after(to);
    const bothText = (!from || fromText !== undefined) && (!to || toText !== undefined);
    return [
      {
        what,
        before: from ? (bothText && fromText !== undefined ? fromText : told(from)) : null,
        after: to ? (bothText && toText !== undefined ? toText : told(to)) : null,
      },
    ];
  });
}
/** A file that is missing is in a fingerprint, too. */
const there = <T extends { readonly hash: string }>(file: T | undefined): T | undefined =>
  file?.hash === "absent" ? undefined : file;
function told({ hash, size }: { hash: string; size: number }): string {
  if (hash.startsWith("link: ")) return `→ ${hash.slice("link: ".length)}`;
  return hash === "no file" ? hash : `${size} bytes, SHA-256 ${hash.slice(0, 16)}…`;
}
