import { decodeEntities } from "./html-entities.ts";

/** Elements whose content is nothing to read. */
const silent = new Set(["script", "style", "noscript", "svg", "template", "iframe", "object", "head"]);
const blocks = new Set(
  "p div section article header footer main nav aside ul ol table thead tbody tr blockquote pre hr dl dt dd form figure figcaption fieldset details summary address".split(
    " ",
  ),
);
const longestTag = 4_096;

interface Tag {
  readonly name: string;
  readonly closes: boolean;
  /** What stands between the name and `>`. */
  readonly attributes: string;
  /** Where the text goes on. */
  readonly end: number;
}

/**
 * The readable text of a page: headings as `#`, list items as `-`, links with their address, scripts left out.
 * Rough by intent; one pass without backtracking, however broken the page is. `base` resolves relative links.
 * Ends once `most` characters are written, so that a huge page does not hold the thread.
 */
export function htmlToText(html: string, base: string, most = Number.POSITIVE_INFINITY): string {
  const out = new TextWriter();
  const title = titleOf(html);
  if (title !== "") out.block(`# ${title}`);
  let link: string | undefined;
  for (let at = 0; at < html.length && out.length <= most;) {
    const open = html.indexOf("<", at);
    if (open < 0 || open > at) out.text(decodeEntities(html.slice(at, open < 0 ? html.length : open)));
    if (open < 0) break;
    const tag = readTag(html, open);
    if (tag === undefined) {
      out.text("<");
      at = open + 1;
      continue;
    }
    at = !tag.closes && silent.has(tag.name) ? afterElement(html, tag) : tag.end;
    if (tag.name === "a") {
      if (link !== undefined) out.text(` (${link})`);
      link = tag.closes ? undefined : address(tag.attributes, base);
    } else draw(tag, out);
  }
  return out.result();
}

function draw({ name, closes, attributes }: Tag, out: TextWriter): void {
  const level = /^h([1-6])$/.exec(name)?.[1];
  if (level !== undefined) out.block(closes ? "" : `${"#".repeat(Number(level))} `);
  else if (name === "br") out.line();
  else if (name === "li") out.line(closes ? "" : "- ");
  else if ((name === "td" || name === "th") && closes) out.text(" | ");
  else if (name === "tr") out.line();
  else if (blocks.has(name)) out.block();
  else if (name === "img") out.text(altOf(attributes));
  if (name === "pre") out.keepBlanks = !closes;
}

function titleOf(html: string): string {
  const open = /<title\b[^>]{0,200}>/i.exec(html);
  if (!open) return "";
  const start = open.index + open[0].length;
  const end = html.indexOf("<", start);
  return decodeEntities(html.slice(start, end < 0 ? start : end))
    .replace(/\s+/g, " ")
    .trim();
}

/** Undefined where `<` begins no tag. Comments, declarations and instructions come as tags without a name. */
function readTag(html: string, open: number): Tag | undefined {
  const nothing = (end: number): Tag => ({ name: "", closes: true, attributes: "", end });
  if (html.startsWith("<!--", open)) {
    const end = html.indexOf("-->", open + 4);
    return nothing(end < 0 ? html.length : end + 3);
  }
  const closes = html[open + 1] === "/";
  const start = open + (closes ? 2 : 1);
  const name = /^[A-Za-z][\w:-]*/.exec(html.slice(start, start + 64))?.[0];
  if (name === undefined && html[start] !== "!" && html[start] !== "?") return undefined;
  const at = endOfTag(html, start + (name?.length ?? 0));
  if (name === undefined) return nothing(at + 1);
  const attributes = html.slice(start + name.length, Math.min(at, start + longestTag));
  return { name: name.toLowerCase(), closes, attributes, end: at + 1 };
}

/** Where `>` stands; one within a quoted value does not count. */
function endOfTag(html: string, from: number): number {
  let quote = "";
  let before = "";
  for (let at = from; at < html.length; at += 1) {
    const char = html[at] ?? "";
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === ">") return at;
    else if (before === "=" && (char === '"' || char === "'")) quote = char;
    if (char.trim() !== "") before = char;
  }
  return html.length;
}

function afterElement(html: string, tag: Tag): number {
  const close = new RegExp(`</${tag.name}\\b`, "gi");
  close.lastIndex = tag.end;
  const found = close.exec(html);
  if (!found) return html.length;
  const end = html.indexOf(">", found.index);
  return end < 0 ? html.length : end + 1;
}

const attribute = (attributes: string, name: string): string => {
  const match = new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(attributes);
  return decodeEntities(match?.[1] ?? match?.[2] ?? match?.[3] ?? "");
};
function address(attributes: string, base: string): string | undefined {
  const href = attribute(attributes, "href");
  if (href === "" || href.startsWith("#") || !URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined;
}
function altOf(attributes: string): string {
  const alt = attribute(attributes, "alt").trim();
  return alt === "" ? "" : `[image: ${alt}]`;
}

/** Joins pieces: blanks collapse, at most one empty line in a row. */
class TextWriter {
  readonly #lines: string[] = [];
  #line = "";
  keepBlanks = false;
  /** Characters so far. */
  length = 0;
  text(text: string): void {
    this.length += text.length;
    if (this.keepBlanks) {
      const [first = "", ...rest] = text.replaceAll("\r\n", "\n").split("\n");
      this.#line += first;
      for (const next of rest) {
        this.line();
        this.#line = next;
      }
      return;
    }
    const plain = text.replace(/\s+/g, " ");
    this.#line += this.#line === "" || this.#line.endsWith(" ") ? plain.trimStart() : plain;
  }
  /** Ends the line where it holds something and begins a new one. */
  line(start = ""): void {
    const line = this.#line.trimEnd();
    if (line !== "" && line !== "-") this.#lines.push(line);
    this.#line = start;
  }
  block(start = ""): void {
    // A paragraph at the head of a list item stays on the item's line.
    if (this.#line === "- " && start === "") return;
    this.line();
    if (this.#lines.length > 0 && this.#lines.at(-1) !== "") this.#lines.push("");
    this.#line = start;
  }
  result(): string {
    this.line();
    return this.#lines.join("\n").trim();
  }
}
