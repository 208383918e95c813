import { isObject } from "../../../shared/json.ts";

export type JsoncResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly line: number };

export const byteOrderMark = "\uFEFF";
/** Levels of nesting that a file may have. What walks its value calls itself level by level. */
export const mostLevels = 200;
export const tooDeep = `nested deeper than ${mostLevels} levels`;

/**
 * Turns comments and trailing commas into blanks, so that JSON.parse reads the rest; line breaks and offsets stay
 * where they were. Text inside strings is left alone.
 */
export function blankJsonc(text: string): string {
  let out = "";
  let comma = -1;
  let before = "";
  for (let i = 0; i < text.length;) {
    const char = text[i] ?? "";
    const end = tokenEnd(text, i);
    const token = text.slice(i, end);
    const comment = token.startsWith("//") || (token.startsWith("/*") && token.endsWith("*/"));
    if (comment) out += token.replaceAll(/[^\r\n]/g, " ");
    else {
      if ((char === "}" || char === "]") && comma >= 0)
        out = `${out.slice(0, comma)} ${out.slice(comma + 1)}`;
      if (token.trim() !== "") {
        // A comma is a trailing one only after a value.
        comma = char === "," && !["", "{", "[", ",", ":"].includes(before) ? i : -1;
        before = char;
      }
      out += token;
    }
    i = end;
  }
  return out;
}
/** The end of the string or comment that starts at `start`; one character for anything else. */
function tokenEnd(text: string, start: number): number {
  const char = text[start];
  if (char === '"') {
    for (let i = start + 1; i < text.length; i++) {
      if (text[i] === "\\") i++;
      else if (text[i] === '"') return i + 1;
    }
    return text.length;
  }
  if (text.startsWith("//", start)) {
    const end = text.indexOf("\n", start);
    return end < 0 ? text.length : end;
  }
  if (text.startsWith("/*", start)) {
    const end = text.indexOf("*/", start + 2);
    return end < 0 ? text.length : end + 2;
  }
  return start + 1;
}

/** Where the first bracket stands that goes beyond `mostLevels`, outside of strings and comments. */
function tooDeepAt(text: string): number | undefined {
  let level = 0;
  for (let i = 0; i < text.length;) {
    const char = text[i];
    if (char === '"' || char === "/") {
      i = tokenEnd(text, i);
      continue;
    }
    if (char === "[" || char === "{") {
      if (++level > mostLevels) return i;
    } else if (char === "]" || char === "}") level--;
    i++;
  }
  return undefined;
}

const parsed = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    // The caller tries the next reading, and the last one names the fault.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/**
 * Reads JSON with comments and trailing commas; a byte order mark is fine and an empty file is `{}`. More than
 * `mostLevels` of nesting are a fault.
 * Plain JSON takes the fast way; the parser that names a fault's line is loaded only for a broken file.
 */
export async function parseJsonc(text: string): Promise<JsoncResult> {
  const body = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  const deep = tooDeepAt(body);
  if (deep !== undefined) return { ok: false, message: tooDeep, line: lineAt(body, deep) };
  const plain = parsed(body);
  if (plain) return { ok: true, value: plain.value };
  const blanked = blankJsonc(body);
  if (blanked.trim() === "") return { ok: true, value: {} };
  const lenient = parsed(blanked);
  if (lenient) return { ok: true, value: lenient.value };
  return { ok: false, ...(await findFault(body)) };
}

async function findFault(body: string): Promise<{ message: string; line: number }> {
  const { parse, printParseErrorCode } = await import("jsonc-parser");
  const errors: import("jsonc-parser").ParseError[] = [];
  try {
    parse(body, errors, { allowTrailingComma: true });
  } catch (error) {
    // A string left open ends at its line for this parser: it may see levels where the others see text.
    if (!(error instanceof RangeError)) throw error;
    return { message: tooDeep, line: 1 };
  }
  const first = errors[0];
  if (!first) return { message: "no JSON", line: 1 };
  const words = printParseErrorCode(first.error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
  return { message: words.toLowerCase(), line: lineAt(body, first.offset) };
}
/**
 * The value at `path` with objects as maps in the order of the text. A plain object puts keys like `"3000"` first, and
 * the order of rules is their meaning. Undefined where there is none.
 */
export async function orderedValue(text: string, path: readonly (string | number)[]): Promise<unknown> {
  const { findNodeAtLocation, getNodeValue, parseTree } = await import("jsonc-parser");
  const read = (node: import("jsonc-parser").Node): unknown =>
    node.type === "object"
      ? new Map(
          (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
            key && value ? [[String(key.value), read(value)]] : [],
          ),
        )
      : getNodeValue(node);
  const root = parseTree(text.replace(byteOrderMark, ""), [], { allowTrailingComma: true });
  const found = root && findNodeAtLocation(root, [...path]);
  return found ? read(found) : undefined;
}
/** True where a plain object cannot keep the order: it puts keys that look like an index first. */
export const hasIndexKeys = (value: unknown): boolean =>
  isObject(value) &&
  Object.entries(value).some(([key, member]) => /^(0|[1-9]\d*)$/.test(key) || hasIndexKeys(member));

/** The 1-based line of an offset. */
const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

/**
 * Where a key stands, for diagnostics: the 1-based line of the last key of `path`, found by walking from key to key.
 * Undefined where a key is not written out.
 */
export function lineOf(text: string, path: readonly (string | number)[]): number | undefined {
  let from = 0;
  let found = -1;
  for (const key of path) {
    if (typeof key === "number") break;
    const quoted = JSON.stringify(key);
    let at = text.indexOf(quoted, from);
    while (at >= 0 && !/^\s*:/.test(text.slice(at + quoted.length, at + quoted.length + 80)))
      at = text.indexOf(quoted, at + 1);
    if (at < 0) return undefined;
    found = at;
    from = at + quoted.length;
  }
  return found < 0 ? undefined : lineAt(text, found);
}
