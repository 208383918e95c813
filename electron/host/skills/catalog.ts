import { sha256 } from "../kit/files.ts";

export type CatalogPlacement = "reminder" | "system" | "tool";
export interface CatalogSkill {
  readonly name: string;
  readonly description: string;
}
export interface CatalogCut {
  readonly total: number;
  /** How many code points of a description are shown at most. */
  readonly limit: number;
  /** The catalog had no room for all; otherwise some descriptions were longer than the setting allows. */
  readonly isFull: boolean;
  /** Descriptions that stand shortened, of those listed. */
  readonly shortened: number;
  /** Names that found no room, best first. */
  readonly dropped: readonly string[];
}
/** `hash` changes when the text does; empty text for no skill. */
export interface Catalog {
  readonly text: string;
  readonly hash: string;
  /** Null where every description stands whole. */
  readonly cut: CatalogCut | null;
}
export interface CatalogOptions {
  readonly placement: CatalogPlacement;
  /** In code points, the "…" counted; at least 3. */
  readonly longestDescription: number;
}
/** In bytes of UTF-8, the frame counted (Hermit: 4 KB). */
export const largestCatalog = 4096;
const shortestCut = 3;

interface Frame {
  readonly head: string;
  readonly tail: string;
  line(name: string, description: string): string;
  /** Stands for what is not listed. */
  more(count: number): string;
}
const list = {
  line: (name: string, description: string) =>
    description === "" ? `- ${name}\n` : `- ${name}: ${description}\n`,
  more: (count: number) => `(${count} more skills are not listed; skill() loads them by name)\n`,
};
const use =
  "Skills hold instructions for particular tasks. When a task fits one of them, load it with the skill tool before you start.";
const frames: Readonly<Record<CatalogPlacement, Frame>> = {
  reminder: { ...list, head: `<system-reminder>\n${use}\n\n`, tail: "</system-reminder>" },
  system: { ...list, head: `# Skills\n\n${use}\n\n`, tail: "" },
  tool: {
    head: "<available_skills>\n",
    line: (name, description) =>
      `<skill><name>${name}</name><description>${description}</description></skill>\n`,
    more: (count) => `<!-- ${count} more skills are not listed; skill() loads them by name -->\n`,
    tail: "</available_skills>",
  },
};

const collapse = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
/** A description as it stands in a catalog that has room for all of it. */
export const wholeDescription = (description: string): string => escape(collapse(description));
/** At most `limit` code points, the "…" among them; nothing where not even three fit. */
function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit === 0) return "";
  // More than `limit` characters lie in so many code units, whatever they are.
  const points = Array.from(text.slice(0, 2 * limit + 2));
  if (points.length <= limit) return text;
  return limit < shortestCut
    ? ""
    : `${points
        .slice(0, limit - 1)
        .join("")
        .trimEnd()}…`;
}

/**
 * Names and descriptions for the model (spec 3, What the model sees): sorted by name, all within 4,096 bytes. All
 * descriptions are cut to one length before any name is dropped; then those go that come last in `skills`.
 * @param skills Best first.
 */
export function renderCatalog(skills: readonly CatalogSkill[], options: CatalogOptions): Catalog {
  if (skills.length === 0) return { text: "", hash: sha256(""), cut: null };
  const frame = frames[options.placement];
  const longest = Math.max(shortestCut, Math.floor(options.longestDescription));
  // Of thousands only those that may find room are ever looked at.
  const texts: string[] = [];
  const textOf = (index: number): string => (texts[index] ??= collapse(skills[index]?.description ?? ""));
  const line = (index: number, limit: number): string =>
    frame.line(skills[index]?.name ?? "", escape(shorten(textOf(index), limit)));
  const rest = (listed: number): string => (listed < skills.length ? frame.more(skills.length - listed) : "");
  /** Whether the first `count` fit, each description within `limit`; stops at the first byte too many. */
  const fits = (count: number, limit: number): boolean => {
    let left = largestCatalog - Buffer.byteLength(frame.head + rest(count) + frame.tail);
    for (let index = 0; index < count && left >= 0; index++) left -= Buffer.byteLength(line(index, limit));
    return left >= 0;
  };

  const total = skills.length;
  const even = fits(total, longest) ? longest : largest(0, longest - 1, (length) => fits(total, length));
  const limit = even ?? 0;
  const count = even === undefined ? (largest(0, total - 1, (some) => fits(some, 0)) ?? 0) : total;
  const nameAt = (index: number): string => skills[index]?.name ?? "";
  const listed = Array.from({ length: count }, (_, index) => index);
  listed.sort((a, b) => (nameAt(a) < nameAt(b) ? -1 : 1));
  const lines = listed.map((index) => line(index, limit)).join("");
  const text = frame.head + lines + rest(count) + frame.tail;
  const shortened = listed.filter((index) => shorten(textOf(index), limit) !== textOf(index)).length;
  const dropped = skills.slice(count).map(({ name }) => name);
  const cut =
    shortened > 0 || dropped.length > 0
      ? { total, limit, isFull: even !== longest, shortened, dropped }
      : null;
  return { text, hash: sha256(text), cut };
}

/** The largest whole number in the range for which `holds`, found by halving; undefined where none was met. */
function largest(from: number, to: number, holds: (value: number) => boolean): number | undefined {
  let best: number | undefined;
  let low = from;
  let high = to;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) {
      best = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  return best;
}

/** What the user is told; empty where nothing was cut. */
export function cutNotice(cut: CatalogCut | null): string {
  if (!cut) return "";
  if (!cut.isFull)
    return `${cut.shortened} of ${cut.total} skill descriptions ${cut.shortened === 1 ? "is" : "are"} longer than ${cut.limit} characters; the model is shown the beginning`;
  const parts = [
    cut.shortened > 0 ? `${cut.shortened} of ${cut.total} skill descriptions were shortened` : "",
    cut.dropped.length > 0 ? `${cut.dropped.length} of ${cut.total} skills found no room in the catalog` : "",
  ].filter((part) => part !== "");
  return parts.join("; ");
}
