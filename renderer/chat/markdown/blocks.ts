import type { MarkdownIt } from "markdown-it";
import type { Token } from "markdown-it";
import { levelHeadings, type HeadingLevel } from "./heading-levels.ts";
import { closeOpenSyntax } from "./open-syntax.ts";
import { createParser } from "./parser.ts";

/**
 * A top-level block of an answer. Code is its own kind, so that it streams as text and is highlighted once. HTML is the
 * parser's own; RenderedHtml.vue sanitises it before it is shown.
 */
export type Block =
  | { readonly kind: "html"; readonly html: string }
  | { readonly kind: "code"; readonly language: string; readonly text: string; readonly closed: boolean };

interface Span {
  readonly tokens: Token[];
  /** Line range in the parsed text, 0-based, end exclusive. */
  readonly from: number;
  readonly to: number;
}

/** Groups the flat token list by top-level block. */
function spans(tokens: readonly Token[]): Span[] {
  const found: Span[] = [];
  let open: Token[] = [];
  for (const token of tokens) {
    open.push(token);
    if (token.level > 0 || token.nesting === 1) continue;
    const [from, to] = open[0]?.map ?? [0, 0];
    found.push({ tokens: open, from, to });
    open = [];
  }
  return found;
}

/** Where each line starts; the last one is the end of the text. Line ends as markdown-it counts them. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n?|\n/g)) starts.push(match.index + match[0].length);
  starts.push(text.length);
  return starts;
}

const definition = /^ {0,3}\[[^\]]+\]:/m;
const closingFence = /^ {0,3}(?:`{3,}|~{3,})[ \t]*$/;
let shared: MarkdownIt | undefined;

/**
 * Markdown that grows. Each update parses the end alone: a top-level block is finished as soon as a complete line
 * opens another one, since later lines reach only the last block (CommonMark 0.31, appendix, phase 1). Finished blocks
 * keep their identity. Link references may be defined below their use: an answer that has any is parsed once more at
 * its end.
 */
export class GrowingMarkdown {
  readonly #markdown = (shared ??= createParser());
  readonly #top: HeadingLevel;
  #frozen: Block[] = [];
  /** The headings that what follows `#frozen` stands under (heading-levels.ts). */
  #headings: number[] = [];
  /** Length of the text that `#frozen` covers, and its last characters, to notice another text. */
  #frozenTo = 0;
  #seam = "";
  /** Where the last complete line ended when blocks were frozen last. */
  #linesTo = 0;

  /** @param top level of the first heading */
  constructor(top: HeadingLevel) {
    this.#top = top;
  }
  /** The blocks of the whole text. */
  update(text: string, done: boolean): readonly Block[] {
    if (this.#seamOf(text) !== this.#seam) this.#reset();
    if (done) {
      if (definition.test(text)) this.#reset();
      return [...this.#frozen, ...this.#finished(text.slice(this.#frozenTo))];
    }
    const linesTo = text.lastIndexOf("\n") + 1;
    if (linesTo > this.#linesTo) {
      this.#linesTo = linesTo;
      this.#freeze(text, linesTo);
    }
    return [...this.#frozen, ...this.#open(text.slice(this.#frozenTo))];
  }

  #freeze(text: string, linesTo: number): void {
    const lines = text.slice(this.#frozenTo, linesTo);
    const found = this.#parse(lines);
    const last = found.at(-1);
    if (found.length < 2 || !last) return;
    this.#frozen.push(...this.#blocks(found.slice(0, -1), lines, true, this.#headings));
    this.#frozenTo += lineStarts(lines)[last.from] ?? 0;
    this.#seam = this.#seamOf(text);
  }
  #seamOf(text: string): string {
    return text.slice(Math.max(0, this.#frozenTo - 32), this.#frozenTo);
  }
  #reset(): void {
    this.#frozen = [];
    this.#headings = [];
    this.#frozenTo = 0;
    this.#linesTo = 0;
    this.#seam = "";
  }
  #parse(text: string): Span[] {
    return spans(this.#markdown.parse(text, {}));
  }
  #finished(source: string): Block[] {
    return this.#blocks(this.#parse(source), source, true);
  }
  /** The last block and what an incomplete line may have begun after it. */
  #open(source: string): Block[] {
    const found = this.#parse(source);
    const last = found.at(-1);
    if (!last || last.tokens[0]?.type === "fence" || last.tokens[0]?.type === "code_block")
      return this.#blocks(found, source, false);
    const closed = closeOpenSyntax(source);
    return this.#blocks(this.#parse(closed), closed, false);
  }
  #blocks(
    found: readonly Span[],
    source: string,
    finished: boolean,
    headings = [...this.#headings],
  ): Block[] {
    return found.map((span) => {
      levelHeadings(span.tokens, headings, this.#top);
      return this.#block(span, source, finished);
    });
  }
  #block(span: Span, source: string, finished: boolean): Block {
    const [first] = span.tokens;
    if (first?.type === "fence" || first?.type === "code_block") {
      const starts = lineStarts(source);
      const lastLine = source.slice(starts[span.to - 1], starts[span.to]).replace(/[\r\n]+$/, "");
      return {
        kind: "code",
        language: first.info.trim().split(/\s+/)[0] ?? "",
        text: first.content.replace(/\n$/, ""),
        closed: finished || (span.to - span.from > 1 && closingFence.test(lastLine)),
      };
    }
    const { renderer, options } = this.#markdown;
    return { kind: "html", html: renderer.render(span.tokens, options, {}) };
  }
}
