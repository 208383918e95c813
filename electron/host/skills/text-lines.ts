import type { Frontmatter } from "../kit/frontmatter.ts";

/** A line with what ends it; empty at the end of the text. */
export interface TextLine {
  readonly text: string;
  readonly end: string;
}
/** A file in its lines, so that some can be changed and the others stay byte for byte. */
export interface TextParts {
  /** The byte-order mark, or nothing. */
  readonly mark: string;
  readonly lead: readonly TextLine[];
  /** Without blanks before it, as `close`. */
  readonly open: TextLine;
  readonly block: readonly TextLine[];
  readonly close: TextLine;
  readonly body: string;
  /** What ends a new line here. */
  readonly end: string;
}

const byteOrderMark = "\uFEFF";

export function linesWithEnds(text: string): readonly TextLine[] {
  const lines: TextLine[] = [];
  const ends = /\r\n|\r|\n/g;
  let from = 0;
  for (let match = ends.exec(text); match; match = ends.exec(text)) {
    lines.push({ text: text.slice(from, match.index), end: match[0] });
    from = ends.lastIndex;
  }
  if (from < text.length) lines.push({ text: text.slice(from), end: "" });
  return lines;
}
export const joinLines = (lines: readonly TextLine[]): string =>
  lines.map(({ text, end }) => text + end).join("");

/** The parts of a text whose front matter was read. */
export function partsOf(
  text: string,
  { fence, indented }: Pick<Extract<Frontmatter, { kind: "parsed" }>, "fence" | "indented">,
): TextParts {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  const lines = linesWithEnds(text.slice(mark.length));
  const isClose = (line: string): boolean => (indented ? line.trim() === "---" : line.startsWith("---"));
  const close = lines.findIndex((line, index) => index >= fence && isClose(line.text));
  const bare = (line: TextLine | undefined): TextLine => {
    const { text: held, end } = line ?? { text: "---", end: "" };
    return { text: indented ? held.trim() : held, end };
  };
  return {
    mark,
    lead: lines.slice(0, fence - 1),
    open: bare(lines[fence - 1]),
    block: lines.slice(fence, close),
    close: bare(lines[close]),
    body: joinLines(lines.slice(close + 1)),
    end: lines[0]?.end === "" ? "\n" : (lines[0]?.end ?? "\n"),
  };
}
