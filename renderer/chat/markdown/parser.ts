import MarkdownItParser, { type MarkdownIt, type Token } from "markdown-it";

/** The host of a web address (punycode where the name is not ASCII), the address of a mail link; null for others. */
function openableTarget(href: string): string | null {
  if (!/^(https?|mailto):/i.test(href) || !URL.canParse(href)) return null;
  const url = new URL(href);
  return url.protocol === "mailto:" ? url.pathname : url.host;
}

/** Turns a link that cannot be opened (a path, an anchor, another scheme) into text with its target as a tooltip. */
function settleLinks(tokens: readonly Token[]): void {
  const open: Token[] = [];
  for (const token of tokens) {
    if (token.type === "link_open") {
      const href = String(token.attrGet("href") ?? "");
      const target = openableTarget(href);
      if (target === null) token.tag = "span";
      token.attrs =
        target === null
          ? [["title", href]]
          : [
              ["href", href],
              ["title", target],
              ["class", "link"],
            ];
      open.push(token);
    } else if (token.type === "link_close") token.tag = open.pop()?.tag ?? "span";
  }
}

/**
 * The Markdown of answers: CommonMark with tables and strike-through; HTML in it is text. Web addresses become links.
 * An image is a link to it and never loads by itself: fetching one would tell its host (and whatever its address
 * carries) that the answer was read.
 */
export function createParser(): MarkdownIt {
  const markdown = new MarkdownItParser({ html: false, linkify: true });
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  const { rules } = markdown.renderer;
  const { escapeHtml } = markdown.utils;

  markdown.core.ruler.push("nacre_links", (state) => {
    for (const token of state.tokens) if (token.children) settleLinks(token.children);
  });
  rules["image"] = (tokens, index) => {
    const token = tokens[index];
    const source = String(token?.attrGet("src") ?? "");
    const target = openableTarget(source);
    const name = escapeHtml(token?.content || source);
    if (target === null) return name;
    return `<a class="link remote" href="${escapeHtml(source)}" title="${escapeHtml(target)}">${name} (${escapeHtml(target)})</a>`;
  };
  // A style attribute would break the content security policy; the classes are in chat.css.
  for (const cell of ["th_open", "td_open"])
    rules[cell] = (tokens, index, options, _env, self) => {
      const token = tokens[index];
      const align = /text-align:(\w+)/.exec(String(token?.attrGet("style") ?? ""))?.[1];
      if (token) token.attrs = align === undefined ? null : [["class", `to-${align}`]];
      return self.renderToken(tokens, index, options);
    };
  rules["table_open"] = () => '<div class="wide-table"><table>';
  rules["table_close"] = () => "</table></div>";
  return markdown;
}
