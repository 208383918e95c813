/** Levels of nesting that a file may have. What walks its value calls itself level by level. */
export const mostLevels = 200;

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

/** A key as it was met: where it stands in the document and in the text, and whether it stood in its object before. */
export interface KeySeen {
  /** The objects and lists around it, outermost first. The next key changes it. */
  readonly around: readonly (string | number)[];
  readonly key: string;
  readonly offset: number;
  readonly again: boolean;
}
interface Level {
  /** Undefined for a list. */
  readonly keys: Set<string> | undefined;
  at: string | number;
}

/**
 * Walks JSON with comments once, without reading its values. Tells every key in the order of the text.
 * @returns where the first bracket stands that goes beyond `mostLevels`; the walk ends there
 */
export function scanJsonc(text: string, onKey: (seen: KeySeen) => void): number | undefined {
  const levels: Level[] = [];
  let string: { readonly start: number; readonly end: number } | undefined;
  for (let i = 0; i < text.length;) {
    const char = text[i];
    if (char === '"' || char === "/") {
      const end = tokenEnd(text, i);
      if (char === '"') string = { start: i, end };
      i = end;
      continue;
    }
    const level = levels.at(-1);
    if (char === "[" || char === "{") {
      if (levels.length === mostLevels) return i;
      levels.push({ keys: char === "{" ? new Set() : undefined, at: 0 });
    } else if (char === "]" || char === "}") levels.pop();
    else if (char === "," && level && !level.keys) level.at = Number(level.at) + 1;
    else if (char === ":" && level?.keys && string) {
      const key = decoded(text.slice(string.start, string.end));
      const around = levels.slice(0, -1).map(({ at }) => at);
      onKey({ around, key, offset: string.start, again: level.keys.has(key) });
      level.keys.add(key);
      level.at = key;
    }
    i++;
  }
  return undefined;
}
function decoded(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    // The parser names the fault; here the key counts as it is written.
    return quoted.slice(1, -1);
  }
}

/**
 * Turns comments and trailing commas into blanks, so that JSON.parse reads the rest; line breaks and offsets stay
 * where they were. Text inside strings is left alone.
 */
export function blankJsonc(text: string): string {
  const blanks: { readonly start: number; readonly end: number }[] = [];
  let comma = -1;
  let before = "";
  for (let i = 0; i < text.length;) {
    const char = text[i] ?? "";
    const end = tokenEnd(text, i);
    if (char === "/" && end > i + 1) {
      // One that is left open stays, and is the parser's to name.
      if (text[i + 1] === "/" || (end >= i + 4 && text.endsWith("*/", end))) blanks.push({ start: i, end });
    } else {
      if ((char === "}" || char === "]") && comma >= 0) blanks.push({ start: comma, end: comma + 1 });
      if (!/\s/.test(char)) {
        // A comma is a trailing one only after a value.
        comma = char === "," && !["", "{", "[", ",", ":"].includes(before) ? i : -1;
        before = char;
      }
    }
    i = end;
  }
  let out = "";
  let from = 0;
  for (const { start, end } of blanks.sort((a, b) => a.start - b.start)) {
    out += text.slice(from, start) + text.slice(start, end).replaceAll(/[^\r\n]/g, " ");
    from = end;
  }
  return out + text.slice(from);
}

/** The 1-based lines of offsets, each found in logarithmic time. */
export function lineCounter(text: string): (offset: number) => number {
  const breaks: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) breaks.push(at);
  return (offset) => {
    let low = 0;
    let high = breaks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((breaks[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
