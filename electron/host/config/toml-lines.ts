import type { Pointer } from "./fields.ts";

/** A bare or quoted key; the string escapes that TOML knows are those of JSON, but for `'…'`, which has none. */
const keyPart = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+))\s*/y;

/**
 * Where keys stand in a TOML document, for diagnostics: the 1-based line of the last key of a pointer that is written
 * out as a table or as `key = …`; what stands in an inline table has the line of its key. Walked once, at the first
 * question.
 */
export function tomlLineIndex(text: string): (pointer: Pointer) => number | undefined {
  let lines: Map<string, number> | undefined;
  return (pointer) => {
    lines ??= indexed(text);
    for (let end = pointer.length; end > 0; end--) {
      const line = lines.get(JSON.stringify(pointer.slice(0, end)));
      if (line !== undefined) return line;
    }
    return undefined;
  };
}
function indexed(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  let table: readonly string[] = [];
  let open: string | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const note = (path: readonly string[]): void => {
      for (let end = 1; end <= path.length; end++) {
        const key = JSON.stringify(path.slice(0, end));
        if (!lines.has(key)) lines.set(key, index + 1);
      }
    };
    if (open === undefined) {
      const header = /^\s*\[\[?/.exec(line)?.[0];
      const { path, rest } = dottedKey(line, header?.length ?? 0);
      if (header !== undefined && rest.startsWith("]")) note((table = path));
      else if (rest.startsWith("=")) note([...table, ...path]);
    }
    // Text over several lines holds no keys.
    for (const [quotes] of line.matchAll(/"""|'''/g))
      open = open === undefined ? quotes : open === quotes ? undefined : open;
  }
  return lines;
}
function dottedKey(line: string, from: number): { path: string[]; rest: string } {
  const path: string[] = [];
  let at = from;
  for (;;) {
    keyPart.lastIndex = at;
    const found = keyPart.exec(line);
    if (!found) return { path, rest: "" };
    path.push(found[1] ?? found[2] ?? found[3] ?? "");
    at = keyPart.lastIndex;
    if (line[at] !== ".") return { path, rest: line.slice(at) };
    at++;
  }
}
