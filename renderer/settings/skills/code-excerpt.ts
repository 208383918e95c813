/** One line of a file, 1-based. */
export interface ExcerptLine {
  readonly number: number;
  readonly text: string;
  /** The one that is spoken of. */
  readonly marked: boolean;
}
/** Lines shown before and after the marked one. */
const around = 2;

/** The lines about `line` of a text; empty where it has no such line. Line ends of any system. */
export function codeExcerpt(text: string, line: number): readonly ExcerptLine[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (line < 1 || line > lines.length) return [];
  const first = Math.max(1, line - around);
  return lines
    .slice(first - 1, line + around)
    .map((own, index) => ({ number: first + index, text: own, marked: first + index === line }));
}

/** Where a line begins and ends in a text, in UTF-16 units, without its line end. */
export function lineRange(text: string, line: number): { readonly start: number; readonly end: number } {
  const ends = /\r\n|\n|\r/g;
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const found = ends.exec(text);
    if (!found) break;
    start = ends.lastIndex;
  }
  ends.lastIndex = start;
  return { start, end: ends.exec(text)?.index ?? text.length };
}
