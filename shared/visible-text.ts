/**
 * Characters that do not show, or that change how others show: controls, formats (bidirectional ones among them,
 * CVE-2021-42574), unassigned and private ones, halves of surrogate pairs, every blank but the space, what Unicode lets
 * a font ignore, the braille blank and the object mark. Line feed and tab are as visible as they need to be.
 */
const hidden = /((?![\n\t ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\uFFFC])\1*/gu;
/** More marks on one letter than any script writes climb over the lines around them. */
const pile = /(\p{M}{4})(\p{M}+)/gu;

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
/** `⟨U+200B⟩`, and `⟨U+200B × 500⟩` for the same one 500 times in a row. */
const written = (run: string, character: string): string => {
  const times = run.length / character.length;
  return times === 1 ? `⟨${codePoint(character)}⟩` : `⟨${codePoint(character)} × ${times}⟩`;
};

/** The text with every character that would not be seen written as its code point: `⟨U+202E⟩`. */
export const visibleText = (text: string): string =>
  text
    .replace(pile, (_whole, kept: string, rest: string) => kept + rest.replace(/(\p{M})\1*/gu, written))
    .replace(hidden, written);

/** As `visibleText`, and each line's end is seen too: text that brings lines of its own cannot pass for ours. */
export const visibleLines = (text: string): string => visibleText(text).replaceAll("\n", "↵\n");

/**
 * A name of something that came from outside, on one line: at most `most` characters, with the number of those that are
 * left out.
 */
export function visibleName(text: string, most = 80): string {
  const { kept, left } = cutEnd(text, most);
  const name = visibleText(kept).replaceAll("\n", "⟨U+000A⟩").replaceAll("\t", "⟨U+0009⟩");
  return left === 0 ? name : `${name}… (+${left})`;
}

/** The beginning of a text from outside on one line, as a list has room for it: line ends and rows of blanks are one blank. */
export const visibleBrief = (text: string, most: number): string =>
  visibleName(
    cutEnd(text, most * 2)
      .kept.replace(/[ \t\r\n]+/g, " ")
      .trim(),
    most,
  ).replace(/ \(\+\d+\)$/, "");

/** The first `most` UTF-16 units of a text, no surrogate pair torn, and how many are left out. */
export function cutEnd(text: string, most: number): { readonly kept: string; readonly left: number } {
  if (text.length <= most) return { kept: text, left: 0 };
  const kept = text.slice(0, isTorn(text, most) ? most - 1 : most);
  return { kept, left: text.length - kept.length };
}
/**
 * A text without its middle where it is longer than `most` UTF-16 units, and how many are left out: what hides at the
 * end of a long text is seen. A mark with the number stands in the gap.
 */
export function cutMiddle(text: string, most: number): { readonly kept: string; readonly left: number } {
  if (text.length <= most) return { kept: text, left: 0 };
  const head = cutEnd(text, Math.ceil(most * 0.75)).kept;
  const from = text.length - Math.floor(most * 0.25);
  const tail = text.slice(isTorn(text, from) ? from + 1 : from);
  const left = text.length - head.length - tail.length;
  return { kept: `${head}⟨… ${left} …⟩${tail}`, left };
}
/** Whether a cut at this place would part a surrogate pair. */
const isTorn = (text: string, at: number): boolean =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
