/** One key of the first level with its value, or lines between two of them. */
export interface YamlEntry {
  /** Undefined for what is no part of a key's value: comments, blank lines, what stands above the first key. */
  readonly key: string | undefined;
  /** 0-based, of its first line within the block. */
  readonly line: number;
  readonly lines: readonly string[];
}

/** A key at the start of a line, in quotes or not, with its colon. */
export const keyAtStart = /^(?:"([^"\\\n]+)"|'([^'\n]+)'|([A-Za-z_][\w.-]*))[ \t]*:(?=\s|$)/;
export function keyOf(line: string): string | undefined {
  const match = keyAtStart.exec(line);
  return match ? (match[1] ?? match[2] ?? match[3]) : undefined;
}

/** A block in its entries, line by line: joined by line ends they are the block again. */
export function entriesOf(block: string): readonly YamlEntry[] {
  const texts = block.split("\n");
  // After the last line with a part of a value come comments and blank lines that belong to no key.
  const endsValue: boolean[] = [];
  for (let line = texts.length - 1, ends = true; line >= 0; line--) {
    const text = texts[line] ?? "";
    const isBetween = betweenKeys.test(text);
    endsValue[line] = isBetween && ends;
    if (!isBetween) ends = keyOf(text) !== undefined;
  }
  const entries: { key: string | undefined; line: number; lines: string[] }[] = [];
  for (const [line, text] of texts.entries()) {
    const key = keyOf(text);
    const last = entries.at(-1);
    if (!last || key !== undefined || (last.key !== undefined && endsValue[line]))
      entries.push({ key, line, lines: [text] });
    else last.lines.push(text);
  }
  return entries;
}
const betweenKeys = /^(?:#.*|\s*)$/;

/** 0-based line of a key of the first level; of one that stands twice the first; undefined where it stands nowhere. */
export function lineOf(block: string, key: string): number | undefined {
  // Asked of every file: nothing is made on the way.
  for (let line = 0, at = 0; ; line++) {
    if (block.startsWith(key, at) && block[at + key.length] === ":") return line;
    const end = block.indexOf("\n", at);
    if (end < 0) break;
    at = end + 1;
  }
  // In quotes, or with blanks before its colon.
  return block.includes(key) ? entriesOf(block).find((entry) => entry.key === key)?.line : undefined;
}

/** A block whose lines are all indented as its first, without that; any other as it stands. */
export function dedented(block: string): string {
  if (!/^[ \n]/.test(block)) return block;
  const indent = /^ +/m.exec(block)?.[0] ?? "";
  const lines = block.split("\n");
  const whole = indent !== "" && lines.every((line) => line.startsWith(indent) || line.trim() === "");
  return whole ? lines.map((line) => line.slice(indent.length)).join("\n") : block;
}
