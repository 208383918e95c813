import { isObject } from "../../../shared/json.ts";
import { Members } from "./members.ts";
import { blankJsonc, lineCounter, mostLevels, scanJsonc } from "./jsonc-scan.ts";

export type ReadResult =
  | { readonly ok: true; readonly value: unknown; readonly duplicates: readonly Duplicate[] }
  | { readonly ok: false; readonly message: string; readonly line: number };

type Node = import("jsonc-parser").Node;
export const byteOrderMark = "\uFEFF";
/** A key that stands twice in one object: JSON takes the last one and drops the others without a word. */
export interface Duplicate {
  readonly pointer: readonly (string | number)[];
  /** 1-based, of the last one. */
  readonly line: number;
}

export const tooDeep = `nested deeper than ${mostLevels} levels`;

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
export async function parseJsonc(text: string): Promise<ReadResult> {
  const body = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  const twice: { pointer: Duplicate["pointer"]; offset: number }[] = [];
  const deep = scanJsonc(body, ({ around, key, offset, again }) => {
    if (again) twice.push({ pointer: [...around, key], offset });
  });
  const line = lineCounter(body);
  if (deep !== undefined) return { ok: false, message: tooDeep, line: line(deep) };
  const duplicates = twice.map(({ pointer, offset }) => ({ pointer, line: line(offset) }));
  const plain = parsed(body);
  if (plain) return { ok: true, value: plain.value, duplicates };
  const blanked = blankJsonc(body);
  if (blanked.trim() === "") return { ok: true, value: {}, duplicates };
  const lenient = parsed(blanked);
  if (lenient) return { ok: true, value: lenient.value, duplicates };
  return { ok: false, ...(await findFault(body)) };
}

/**
 * Reads plain JSON of an extension, with or without a byte order mark, as deep as `parseJsonc` does.
 * @returns its value, or what is wrong and on which 1-based line where that is known
 */
export function parsePlainJson(
  text: string,
): { readonly value: unknown } | { readonly problem: string; readonly line?: number } {
  const body = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  const deep = scanJsonc(body, () => undefined);
  if (deep !== undefined) return { problem: tooDeep, line: lineCounter(body)(deep) };
  try {
    return { value: JSON.parse(body) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const offset = /at position (\d+)/.exec(error.message)?.[1];
    const at = offset === undefined ? body.length : Number(offset);
    return { problem: `no JSON: ${error.message}`, line: lineCounter(body)(at) };
  }
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
  return { message: words.toLowerCase(), line: lineCounter(body)(first.offset) };
}
/**
 * The whole value with objects as `Members`. A plain object puts keys like `"3000"` first and drops the first of two equal
 * ones, and the order of rules is their meaning. For a text that `parseJsonc` takes.
 */
export async function orderedValue(text: string): Promise<unknown> {
  const { getNodeValue, parseTree } = await import("jsonc-parser");
  const read = (node: Node): unknown =>
    node.type === "object"
      ? new Members(
          (node.children ?? []).flatMap(({ children: [key, value] = [] }): [string, unknown][] =>
            key && value ? [[String(key.value), read(value)]] : [],
          ),
        )
      : getNodeValue(node);
  const root = parseTree(text.replace(byteOrderMark, ""), [], { allowTrailingComma: true });
  return root && read(root);
}
/** True where a plain object cannot keep the order: it puts keys that look like an index first. */
export const hasIndexKeys = (value: unknown): boolean =>
  isObject(value) &&
  Object.entries(value).some(([key, member]) => /^(0|[1-9]\d*)$/.test(key) || hasIndexKeys(member));

/**
 * Where keys stand, for diagnostics: the 1-based line of the last key of a pointer that is written out; of an entry of a
 * list, the line of the list's key. The text is walked once, at the first question.
 */
export function lineIndex(text: string): (pointer: readonly (string | number)[]) => number | undefined {
  let lines: Map<string, number> | undefined;
  return (pointer) => {
    lines ??= indexed(text);
    const end = pointer.findLastIndex((part) => typeof part === "string") + 1;
    return lines.get(JSON.stringify(pointer.slice(0, end)));
  };
}
function indexed(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  const line = lineCounter(text);
  scanJsonc(text, ({ around, key, offset }) => {
    lines.set(JSON.stringify([...around, key]), line(offset));
  });
  return lines;
}
