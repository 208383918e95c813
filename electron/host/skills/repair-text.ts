import { isDeepStrictEqual } from "node:util";
import { correctedSkillName, isSkillName } from "../../../shared/names.ts";
import { loadFrontmatter, textOf, type Frontmatter, type ReadFrontmatter } from "../kit/frontmatter.ts";
import { loadYamlReader, type ReadYaml } from "../kit/yaml-block.ts";
import { entriesOf, keyAtStart, type YamlEntry } from "../kit/yaml-entries.ts";
import { quoted } from "../kit/yaml-repair.ts";
import { closedText } from "./close-fence.ts";
import { neededBySkills, structuredBySkills, textFields } from "./head.ts";
import type { Place } from "./judge.ts";
import { joinLines, partsOf, type TextLine } from "./text-lines.ts";

/** A file whose front matter says what it was read as. */
interface TextRepair {
  readonly after: string;
  /** One sentence for each change. */
  readonly changes: readonly string[];
}
/** Null where nothing can be repaired without a doubt about what was meant. Pure. */
export type RepairSkillText = (text: string, place: Pick<Place, "placeName">) => TextRepair | null;

/** Findings of which a repair takes at least one away; it may still find that it cannot. */
const repairable: ReadonlySet<string> = new Set([
  "frontmatter-colon",
  "frontmatter-raw",
  "frontmatter-tab",
  "frontmatter-duplicate",
  "frontmatter-not-first",
  "frontmatter-indented",
  "frontmatter-open",
  "skill-field-coerced",
  "skill-name-missing",
  "skill-name-invalid",
]);
/** Whether a repair is worth a try, told by what was found when the skill was listed. */
export const mayBeRepaired = (findings: readonly { readonly code: string }[]): boolean =>
  findings.some(({ code }) => repairable.has(code));

/**
 * What makes of a file one that says in plain YAML what Nacre read (spec 3, Lenient loading), so that every other
 * client reads it too. The body, comments, the order of keys and line ends stay as they are.
 */
export async function loadSkillRepair(): Promise<RepairSkillText> {
  const [read, readYaml] = await Promise.all([loadFrontmatter(), loadYamlReader()]);
  return (text, { placeName }) => {
    const made = repair(text, placeName, read, readYaml);
    // What would have to be repaired again was not understood.
    return made && repair(made.after, placeName, read, readYaml) ? null : made;
  };
}

function repair(
  text: string,
  placeName: string,
  read: ReadFrontmatter,
  readYaml: ReadYaml,
): TextRepair | null {
  const changes: string[] = [];
  const readHead = (whole: string): Frontmatter => read(whole, neededBySkills, structuredBySkills);
  let whole = text;
  let front = readHead(text);
  if (front.kind === "broken" && front.finding.code === "frontmatter-open") {
    const closed = closedText(text, readYaml);
    if (!closed) return null;
    changes.push(closed.change);
    whole = closed.text;
    front = readHead(whole);
  }
  if (front.kind !== "parsed") return null;
  const { indented, block, repairs } = front;
  const parts = partsOf(whole, front);

  // What is read is the block without the blanks before all of its lines: what is changed in it has to fit the others.
  const texts = block.split("\n");
  let lines: readonly TextLine[] = parts.block.map((line, index) => ({ ...line, text: texts[index] ?? "" }));
  if (indented) changes.push("the blanks before the lines of --- are taken away");
  const certain = repairs.filter((one) => one.certain);
  for (const { entry, finding } of certain)
    changes.push(
      `${finding.code === "frontmatter-duplicate" ? "the second" : "the value of"} ${entry.key} ${done[finding.code] ?? "is put in quotes"}`,
    );
  lines = replaced(lines, certain);
  lines = withFields(lines, front, placeName, parts.end, changes);
  const above = commentsOf(parts.lead);
  if (parts.lead.length > 0)
    changes.push(
      above.length > 0
        ? "the front matter is moved to the first line, the comment above it into it"
        : "the blank lines above the front matter are taken away",
    );
  if (changes.length === 0) return null;
  if (!indented && parts.block.some((line, index) => line.text !== (texts[index] ?? "")))
    changes.push("the blanks before the lines of the front matter are taken away");
  const comments = above.map((comment) => ({ text: comment, end: parts.end }));
  const after = parts.mark + joinLines([parts.open, ...comments, ...lines, parts.close]) + parts.body;
  return after !== text && saysTheSame(front, readHead(after)) ? { after, changes } : null;
}

/** Whether what was written reads as what was read: a line may have been part of another value than it looks. */
function saysTheSame(before: Extract<Frontmatter, { kind: "parsed" }>, now: Frontmatter): boolean {
  if (now.kind !== "parsed" || now.body !== before.body) return false;
  const { name: _was, ...old } = { ...before.data, ...textsOf(before) };
  const { name, ...read } = { ...now.data, ...textsOf(now) };
  return (before.data["name"] === undefined || name !== undefined) && isDeepStrictEqual(read, old);
}
/** As Nacre takes them, in quotes or not. */
const textsOf = (front: Extract<Frontmatter, { kind: "parsed" }>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    textFields.flatMap((key) => {
      const text = textOf(front, key)?.text;
      return text === undefined ? [] : [[key, text]];
    }),
  );

/** What happened to a value; anything else was put in quotes. */
const done: Readonly<Record<string, string>> = {
  "frontmatter-tab": "is indented with blanks",
  "frontmatter-duplicate": "is taken away, it says the same as the first",
};

/** @param entries In their order; what they become has no more lines than they. */
function replaced(
  lines: readonly TextLine[],
  entries: readonly { readonly entry: YamlEntry; readonly lines: readonly string[] }[],
): readonly TextLine[] {
  const parts: (readonly TextLine[])[] = [];
  let from = 0;
  for (const { entry, lines: made } of entries) {
    parts.push(lines.slice(from, entry.line));
    parts.push(made.map((text, index) => ({ text, end: lines[entry.line + index]?.end ?? "\n" })));
    from = entry.line + entry.lines.length;
  }
  return [...parts.flat(), ...lines.slice(from)];
}

/** Values that some clients read as numbers in quotes; the name as it has to be. */
function withFields(
  all: readonly TextLine[],
  front: Extract<Frontmatter, { kind: "parsed" }>,
  placeName: string,
  end: string,
  changes: string[],
): readonly TextLine[] {
  let lines = all;
  const set = (key: string, value: string, change: string): void => {
    const entry = entriesOf(lines.map((line) => line.text).join("\n")).find((one) => one.key === key);
    const made = entry && withValue(entry, value);
    if (!made) return;
    lines = replaced(lines, [{ entry, lines: made }]);
    changes.push(change);
  };
  const name = front.written["name"] ?? front.data["name"];
  const corrected = typeof name === "string" && !isSkillName(name.trim()) ? correctedSkillName(name) : "";
  for (const key of textFields) {
    const written = front.written[key];
    if (written !== undefined && !(key === "name" && corrected !== ""))
      set(key, quoted(written), `the value of ${key} is put in quotes`);
  }
  if (corrected !== "") set("name", nameValue(corrected), `the name is ${corrected} now`);
  if (front.data["name"] === undefined && isSkillName(placeName)) {
    changes.push(`the name ${placeName} is added`);
    lines = [{ text: `name: ${nameValue(placeName)}`, end }, ...lines];
  }
  return lines;
}
/** Some names are numbers, dates or truth values to some reader of YAML. */
const nameValue = (name: string): string =>
  /^\d|^(?:null|true|false|yes|no|on|off)$/.test(name) ? quoted(name) : name;

/** The entry with another value; a comment behind it stays. Undefined where the value goes on below. */
function withValue(
  { lines: [first = "", ...below] }: YamlEntry,
  value: string,
): readonly string[] | undefined {
  const key = keyAtStart.exec(first)?.[0];
  if (key === undefined || below.length > 0) return undefined;
  const old = first.slice(key.length).trim();
  if (/^[|>&*!]/.test(old)) return undefined;
  const quotes = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(old)?.[0].length ?? 0;
  const rest = old.slice(quotes);
  const comment = rest.search(/\s#/);
  const behind = comment < 0 ? "" : rest.slice(rest.slice(0, comment).trimEnd().length);
  return [`${key} ${value}${behind}`];
}

/** HTML comments as comments of YAML; those of `#` are some already. */
function commentsOf(lead: readonly TextLine[]): readonly string[] {
  return lead.flatMap(({ text }) => {
    if (text.trim() === "") return [];
    if (text.startsWith("#")) return [text];
    const inner = text.replaceAll(/<!--|-->/g, "").trim();
    return inner === "" ? [] : [`# ${inner}`];
  });
}
