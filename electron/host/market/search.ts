import type { MarketKind } from "../../../shared/market.ts";
import type { CatalogEntry } from "./types.ts";

const fold = (text: string): string => text.normalize("NFKC").toLowerCase();
const isWordStart = (text: string, at: number): boolean =>
  at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");

/** How well one word fits one text: at the start of the text, at the start of a word, anywhere, nowhere. */
function fit(text: string, word: string): number {
  const folded = fold(text);
  const at = folded.indexOf(word);
  if (at < 0) return 0;
  if (at === 0) return folded.length === word.length ? 4 : 3;
  return isWordStart(folded, at) || folded.includes(` ${word}`) ? 2 : 1;
}
/** Points of one word of the query: the best of name, tags and texts, each with its weight. */
function points(entry: CatalogEntry, word: string): number {
  return Math.max(
    8 * fit(entry.name, word),
    8 * fit(entry.title, word),
    4 * Math.max(0, ...[...entry.tags, ...entry.categories].map((tag) => fit(tag, word))),
    2 * fit(entry.summary, word),
    fit(entry.author ?? "", word),
    fit(entry.description, word),
  );
}

/**
 * The entries that fit every word of the query, best first, then by title. An empty query gives all of them.
 * Words are compared without case and width; scripts without blanks are found by any part.
 */
export function rank(
  entries: readonly CatalogEntry[],
  query: string,
  kind?: MarketKind,
): readonly CatalogEntry[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const found = entries.flatMap((entry) => {
    if (kind !== undefined && entry.kind !== kind) return [];
    const scores = words.map((word) => points(entry, word));
    if (scores.includes(0)) return [];
    return [{ entry, score: scores.reduce((sum, score) => sum + score, 0) }];
  });
  return found
    .sort((a, b) => b.score - a.score || (fold(a.entry.title) < fold(b.entry.title) ? -1 : 1))
    .map(({ entry }) => entry);
}
