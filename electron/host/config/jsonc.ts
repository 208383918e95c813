import { NacreError } from "../../../shared/errors.ts";
import { byteOrderMark, parseJsonc } from "./jsonc-read.ts";
import { blankJsonc } from "./jsonc-scan.ts";

/** One change of a JSONC document: the value at `path`, or its removal where `value` is undefined. */
export interface Edit {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}
type Node = import("jsonc-parser").Node;
type Parser = typeof import("jsonc-parser");
/** How the document is written. */
interface Style {
  readonly eol: string;
  readonly indent: string;
}

/**
 * Applies edits to a JSONC text. What is not edited stays to the letter: comments, unknown keys, indentation, line
 * ends, a byte order mark. (The formatter of jsonc-parser would spread the neighbours over several lines.)
 * @throws NacreError `configuration` where the text does not parse or cannot hold the key: it is never overwritten.
 */
export async function editJsonc(text: string, edits: readonly Edit[], file: string): Promise<string> {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  let body = text.slice(mark.length);
  const style: Style = {
    eol: body.includes("\r\n") ? "\r\n" : "\n",
    indent: /\n([ \t]+)"/.exec(body)?.[1] ?? "  ",
  };
  if (blankJsonc(body).trim() === "")
    body += `${body === "" || body.endsWith("\n") ? "" : style.eol}{}${style.eol}`;
  const before = await parseJsonc(body);
  if (!before.ok)
    throw new NacreError(
      "configuration",
      `${file} was not changed: it does not parse (line ${before.line}: ${before.message}); mend it first`,
    );
  const parser = await import("jsonc-parser");
  for (const edit of edits) {
    const next = applyEdit(body, edit, style, parser);
    if (next === undefined)
      throw new NacreError(
        "configuration",
        `${file} was not changed: ${edit.path.join(".")} cannot be set, because what holds it is no object`,
      );
    body = next;
  }
  return mark + body;
}

function applyEdit(text: string, { path, value }: Edit, style: Style, parser: Parser): string | undefined {
  const root = parser.parseTree(text, [], { allowTrailingComma: true });
  if (!root) return undefined;
  const found = findLast(root, path);
  if (value === undefined) {
    if (!found) return text;
    // A key that stands twice goes with all of them.
    return applyEdit(
      withoutMember(text, found) ?? parser.applyEdits(text, parser.modify(text, [...path], undefined, {})),
      { path, value },
      style,
      parser,
    );
  }
  if (found) {
    const written = write(value, lineIndent(text, found.offset), style);
    return text.slice(0, found.offset) + written + text.slice(found.offset + found.length);
  }
  let depth = path.length - 1;
  while (depth > 0 && !findLast(root, path.slice(0, depth))) depth--;
  const holder = findLast(root, path.slice(0, depth)) ?? root;
  const key = path[depth];
  if (holder.type !== "object" || typeof key !== "string") return undefined;
  const inner = path.slice(depth + 1).reduceRight<unknown>((member, name) => ({ [name]: member }), value);
  return insert(text, holder, key, inner, style);
}

/** The value at `path`; of a key that stands twice the last one, which is the one that JSON takes. */
const findLast = (root: Node, path: Edit["path"]): Node | undefined =>
  path.reduce<Node | undefined>(
    (node, part) =>
      node?.type === "object"
        ? node.children?.findLast(({ children: [key] = [] }) => key?.value === part)?.children?.[1]
        : node?.type === "array" && typeof part === "number"
          ? node.children?.[part]
          : undefined,
    root,
  );

/**
 * The text without a member that others follow: with its comma and the comment on its line, so that the next one stands
 * where it stood, and the comments above that one stay. Undefined for the last one and for what is no member.
 */
function withoutMember(text: string, { parent: member }: Node): string | undefined {
  const members = member?.type === "property" ? (member.parent?.children ?? []) : [];
  if (!member || member === members.at(-1)) return undefined;
  const end = member.offset + member.length;
  const rest = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*?,(?:[ \t]*(?:\/\/[^\n]*)?\r?\n)?[ \t]*/.exec(
    text.slice(end),
  );
  return rest ? text.slice(0, member.offset) + text.slice(end + rest[0].length) : undefined;
}

/** A new member at the end of an object, on a line of its own where the object has lines. */
function insert(text: string, holder: Node, key: string, value: unknown, style: Style): string {
  const close = holder.offset + holder.length - 1;
  const between = text.slice(holder.offset + 1, close);
  const last = holder.children?.at(-1);
  const member = (indent: string): string => `${JSON.stringify(key)}: ${write(value, indent, style)}`;
  if (last && !between.includes("\n"))
    return `${text.slice(0, close).trimEnd()}${separator(text, last, close)} ${JSON.stringify(key)}: ${JSON.stringify(value)}${
      between.endsWith(" ") ? " " : ""
    }${text.slice(close)}`;
  const outer = lineIndent(text, holder.offset);
  const indent = last ? lineIndent(text, last.offset) : outer + style.indent;
  // After the last member or comment; a comma goes right behind the member, before a comment on its line.
  const end = holder.offset + 1 + between.trimEnd().length;
  const head = last
    ? text.slice(0, last.offset + last.length) +
      separator(text, last, close) +
      text.slice(last.offset + last.length, end)
    : text.slice(0, end);
  return `${head}${style.eol}${indent}${member(indent)}${style.eol}${outer}${text.slice(close)}`;
}
/** The comma that the last member lacks. */
const separator = (text: string, last: Node, close: number): string =>
  blankedComments(text.slice(last.offset + last.length, close)).includes(",") ? "" : ",";
const blankedComments = (text: string): string => text.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "");

const lineIndent = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";
const write = (value: unknown, indent: string, { eol, indent: unit }: Style): string =>
  JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
