import type { Token } from "markdown-it";

/** Heading levels of HTML. */
export type HeadingLevel = 2 | 3 | 4 | 5 | 6;

/**
 * Gives the headings of a text the levels that follow from where it stands: the first one is at `top`, however many `#`
 * it has, and none skips a level, so that a screen reader's list of headings is a tree. Nothing is deeper than h6.
 * @param open depths of the headings that the tokens stand under, outermost first; what follows stands under what is left
 */
export function levelHeadings(tokens: readonly Token[], open: number[], top: HeadingLevel): void {
  let tag = "";
  for (const token of tokens) {
    if (token.type === "heading_open") {
      const depth = Number(token.tag.slice(1));
      while ((open.at(-1) ?? 0) >= depth) open.pop();
      open.push(depth);
      tag = `h${Math.min(top + open.length - 1, 6)}`;
    } else if (token.type !== "heading_close") continue;
    token.tag = tag;
  }
}
