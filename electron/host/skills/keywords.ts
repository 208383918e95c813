/** Something that is suggested by words. */
export interface Keyworded {
  readonly name: string;
  readonly keywords: readonly string[];
}
export interface KeywordHit<T> {
  readonly item: T;
  /** As it was written. */
  readonly keyword: string;
}
interface Keyword<T> extends KeywordHit<T> {
  readonly folded: string;
  /** Where its first word begins: `.net` is found by `net`. */
  readonly wordAt: number;
}
/** Scripts that put no blanks between words, and Korean, whose words carry particles. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const letter = /[\p{L}\p{N}\p{M}_]/u;
const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && letter.test(character) && !unspaced.test(character);

/** Upper case first: `ß` and `SS`, and both sigmas, become one. */
const folded = (text: string): string =>
  text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFC").replaceAll(/\s+/g, " ").trim();

/**
 * Keywords of many things, found in a text that is being typed (spec 3): whole words in any case, parts of words in
 * scripts without blanks. Looking costs as much as the text and the keywords that begin like a word of it.
 */
export class KeywordIndex<T extends Keyworded> {
  readonly #words = new Map<string, Keyword<T>[]>();
  /** By the first character: keywords that are found anywhere. */
  readonly #parts = new Map<string, Keyword<T>[]>();

  constructor(items: Iterable<T>) {
    for (const item of items) for (const keyword of item.keywords) this.#add(item, keyword);
  }
  /** The longest keywords first, then by name; each thing once. @param accepts Whether it counts just now */
  find(text: string, most: number, accepts: (item: T) => boolean): readonly KeywordHit<T>[] {
    if (this.#words.size === 0 && this.#parts.size === 0) return [];
    const hits = new Map<T, Keyword<T>>();
    const seen = new Set<Keyword<T>>();
    const take = (keyword: Keyword<T>): void => {
      if (seen.has(keyword)) return;
      seen.add(keyword);
      const known = hits.get(keyword.item);
      if (known && known.folded.length >= keyword.folded.length) return;
      if (accepts(keyword.item)) hits.set(keyword.item, keyword);
    };
    const typed = folded(text);
    for (const { word, at } of wordsOf(typed))
      for (const keyword of this.#words.get(word) ?? []) if (standsAlone(typed, keyword, at)) take(keyword);
    if (this.#parts.size > 0) this.#findParts(typed, take);
    return [...hits.values()].sort(better).slice(0, most);
  }
  #findParts(typed: string, take: (keyword: Keyword<T>) => void): void {
    let at = 0;
    for (const character of typed) {
      for (const keyword of this.#parts.get(character) ?? [])
        if (typed.startsWith(keyword.folded, at)) take(keyword);
      at += character.length;
    }
  }
  #add(item: T, written: string): void {
    const text = folded(written);
    const [first] = Array.from(text);
    if (first === undefined) return;
    const word = unspaced.test(text) ? undefined : wordsOf(text).next().value;
    const keyword = { item, keyword: written, folded: text, wordAt: word?.at ?? 0 };
    const [index, key] = word === undefined ? [this.#parts, first] : [this.#words, word.word];
    const list = index.get(key);
    if (list) list.push(keyword);
    else index.set(key, [keyword]);
  }
}
const better = <T extends Keyworded>(a: Keyword<T>, b: Keyword<T>): number =>
  b.folded.length - a.folded.length || (a.item.name < b.item.name ? -1 : 1);

/** Runs of letters and digits of scripts with blanks. */
function* wordsOf(text: string): Generator<{ readonly word: string; readonly at: number }, undefined> {
  let word = "";
  let at = 0;
  for (const character of text) {
    if (isWordPart(character)) word += character;
    else if (word !== "") {
      yield { word, at: at - word.length };
      word = "";
    }
    at += character.length;
  }
  if (word !== "") yield { word, at: at - word.length };
  return undefined;
}
/** The keyword whose first word stands at `at`, with no letter before and behind it. */
function standsAlone(typed: string, { folded: text, wordAt }: Keyword<Keyworded>, at: number): boolean {
  const start = at - wordAt;
  if (start < 0 || !typed.startsWith(text, start)) return false;
  const end = start + text.length;
  const before = Array.from(typed.slice(Math.max(0, start - 2), start)).at(-1);
  const [behind] = Array.from(typed.slice(end, end + 2));
  const isBounded = (inside: string | undefined, outside: string | undefined): boolean =>
    !isWordPart(inside) || !isWordPart(outside);
  return isBounded(Array.from(text)[0], before) && isBounded(Array.from(text).at(-1), behind);
}
