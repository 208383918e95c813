import type { Finding } from "./finding.ts";
import { keyOf } from "./yaml-entries.ts";

/** A Markdown file in its parts; line ends are LF. */
export type SplitText =
  | { readonly kind: "none"; readonly body: string }
  | FrontBlock
  | { readonly kind: "broken"; readonly finding: Finding; readonly body: string };
export interface FrontBlock {
  readonly kind: "block";
  /** What stands above the fence: blank lines and comments; empty where it is the first line. */
  readonly lead: string;
  /** 1-based line of the opening fence. */
  readonly fence: number;
  /** Blanks stand before the fences. */
  readonly indented: boolean;
  /** Between the fences, without the line end before the closing one. */
  readonly block: string;
  readonly body: string;
}

/** Takes one byte-order mark away and ends every line with LF. */
export function plainText(raw: string): string {
  const text = raw.startsWith("\uFEFF") ? raw.slice(1) : raw;
  return text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
}

/** Blank lines, HTML comments and lines of `#` that some tools write above the block. */
const aboveBlock = /^(?:[ \t]*\n|[ \t]*<!--[\s\S]*?-->[ \t]*\n|#[^\n]*\n)+/;
const opening = /^( {0,3})---(?!-)(.*)$/;
const fenceAlone = /^[ \t]*---[ \t]*$/;
/** Fences of JSON and TOML, as gray-matter and Hugo know them. */
const foreignFence = /^(;;;|\+\+\+)[ \t]*(?:\w+[ \t]*)?$/;

/** Finds the block of front matter. @param text as `plainText` gives it */
export function splitText(text: string): SplitText {
  const lead = text.startsWith("---") ? "" : (aboveBlock.exec(text)?.[0] ?? "");
  const fence = lead === "" ? 1 : lead.split("\n").length;
  const first = lineAt(text, lead.length);
  const none = { kind: "none", body: text } as const;

  const foreign = foreignFence.exec(first)?.[1];
  if (foreign !== undefined) {
    const end = text.indexOf(`\n${foreign}`, lead.length);
    return end < 0 ? none : broken(text, end + 1, foreignLanguage(foreign, fence));
  }
  const open = opening.exec(first);
  if (!open) return none;
  const indented = open[1] !== "";
  const from = lead.length + first.length;
  const close = closingLine(text, from, indented);
  const block = close === undefined ? "" : text.slice(from + 1, Math.max(from, close - 1));
  // Below a heading or indented it may be a rule of the text: then what follows has to look like front matter.
  if ((indented || lead.includes("#")) && !beginsWithKey(block)) return none;

  const language = (open[2] ?? "").trim();
  if (language !== "" && !/^(?:ya?ml$|#)/i.test(language))
    return broken(text, close, foreignLanguage(language, fence));
  if (close === undefined) return broken(text, close, notClosed(text, from, fence));
  if (!fenceAlone.test(lineAt(text, close)))
    return broken(text, close, notClosedAt(fence + lineCount(text, from, close)));
  return { kind: "block", lead, fence, indented, block, body: textBelow(text, close) };
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.slice(start) : text.slice(start, end);
}
const lineCount = (text: string, from: number, to: number): number =>
  text.slice(from, to).split("\n").length - 1;
function textBelow(text: string, line: number): string {
  const end = text.indexOf("\n", line);
  return end < 0 ? "" : text.slice(end + 1);
}
/** Where the line begins that should close the block; below an indented fence it may be indented too. */
function closingLine(text: string, from: number, indented: boolean): number | undefined {
  if (!indented) {
    const at = text.indexOf("\n---", from);
    return at < 0 ? undefined : at + 1;
  }
  const match = /\n[ \t]*---[ \t]*(?:\n|$)/.exec(text.slice(from));
  return match ? from + match.index + 1 : undefined;
}
const beginsWithKey = (block: string): boolean => {
  const line = block.split("\n").find((candidate) => !/^\s*(?:#|$)/.test(candidate));
  return line !== undefined && keyOf(line.trimStart()) !== undefined;
};

function broken(text: string, close: number | undefined, finding: Omit<Finding, "severity">): SplitText {
  return {
    kind: "broken",
    finding: { ...finding, severity: "error" },
    body: close === undefined ? "" : textBelow(text, close),
  };
}
const foreignLanguage = (language: string, line: number): Omit<Finding, "severity"> => ({
  code: "frontmatter-language",
  message: `front matter in "${language}" is not read: only YAML is, and nothing in it was run`,
  line,
  fix: "write the block as YAML between two lines of ---",
});
const notClosedAt = (line: number): Omit<Finding, "severity"> => ({
  code: "frontmatter-open",
  message: "the front matter is not closed",
  line,
  fix: "end it with a line that holds --- alone",
});
/** A closing fence that is indented belongs to the value above it, and closes nothing. */
function notClosed(text: string, from: number, fence: number): Omit<Finding, "severity"> {
  const indented = /\n[ \t]+---[ \t]*(?:\n|$)/.exec(text.slice(from));
  if (!indented) return notClosedAt(fence);
  return {
    ...notClosedAt(fence + lineCount(text, from, from + indented.index + 1)),
    message: "the front matter is not closed: the line of --- below it is indented",
    fix: "take the blanks before --- away",
  };
}
