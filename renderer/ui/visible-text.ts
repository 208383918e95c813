/**
 * Characters that do not show, or that change how others show: controls, formats (bidirectional ones among them,
 * CVE-2021-42574), unassigned and private ones, every blank but the space, and what Unicode lets a font ignore.
 * Line feed and tab are as visible as they need to be.
 */
const hidden = /(?![\n\t ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** The text with every character that would not be seen written as its code point: `⟨U+202E⟩`. */
export const visibleText = (text: string): string =>
  text.replace(
    hidden,
    (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
