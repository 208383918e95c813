/** What matching one pattern cost: characters compared. */
export interface Steps {
  count: number;
}
/** Up to here a pattern with `?` is tried at every place of a text: pattern × text. */
const mostTried = 1_000_000;

/**
 * Whether the whole of `text` fits: `*` is any run of characters, `/` and line breaks among them, `?` one character.
 * Never takes more than a multiple of pattern + text steps, or a million: where a `?` would, it counts as `*` for what
 * denies or asks (`stricter`), and the pattern fits nothing for what allows.
 */
export function matchPattern(
  pattern: string,
  text: string,
  stricter = false,
  steps: Steps = { count: 0 },
): boolean {
  const wild = pattern.search(/[*?]/);
  if (wild < 0) return pattern === text;
  // Most patterns are told apart by how they begin.
  if (!text.startsWith(pattern.slice(0, wild))) return false;
  if (!pattern.includes("?")) return matchStars(pattern, text, steps);
  if (pattern.length * text.length <= mostTried) return matchTried(pattern, text, steps);
  return stricter && matchStars(pattern.replaceAll("?", "*"), text, steps);
}
/** `*`, `**`: fits everything. */
export const isCatchAll = (pattern: string): boolean => /^\*+$/.test(pattern);
/** True where the pattern names exactly one text. */
export const isExact = (pattern: string): boolean => !/[*?]/.test(pattern);

/** What stands between the stars, each at the first place where it can; the last at the end. */
function matchStars(pattern: string, text: string, steps: Steps): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop() ?? "";
  const end = text.length - last.length;
  let at = first.length;
  if (at > end || !text.startsWith(first) || !text.endsWith(last)) return false;
  for (const segment of rest) {
    const found = findIn(text, segment, at, end, steps);
    if (found < 0) return false;
    at = found + segment.length;
  }
  return true;
}
/** The first place of `wanted` in `text` from `start` on that ends by `end`; −1 for none. Knuth, Morris and Pratt's. */
function findIn(text: string, wanted: string, start: number, end: number, steps: Steps): number {
  if (wanted === "") return start;
  // For each place in `wanted`: how much of its beginning stands before it again.
  const again = [0];
  for (let at = 1, same = 0; at < wanted.length; at++) {
    while (same > 0 && wanted[at] !== wanted[same]) {
      same = again[same - 1] ?? 0;
      steps.count++;
    }
    if (wanted[at] === wanted[same]) same++;
    again.push(same);
    steps.count++;
  }
  for (let at = start, same = 0; at < end; at++) {
    while (same > 0 && text[at] !== wanted[same]) {
      same = again[same - 1] ?? 0;
      steps.count++;
    }
    if (text[at] === wanted[same]) same++;
    steps.count++;
    if (same === wanted.length) return at - same + 1;
  }
  return -1;
}
/** One point to go back to is enough for `*`. */
function matchTried(pattern: string, text: string, steps: Steps): boolean {
  const want = Array.from(pattern);
  const have = Array.from(text);
  let w = 0;
  let starAt = -1;
  let starText = 0;
  for (let h = 0; h < have.length;) {
    steps.count++;
    if (want[w] === "*") {
      starAt = w++;
      starText = h;
    } else if (w < want.length && (want[w] === "?" || want[w] === have[h])) {
      w++;
      h++;
    } else if (starAt >= 0) {
      w = starAt + 1;
      h = ++starText;
    } else return false;
  }
  while (want[w] === "*") w++;
  return w === want.length;
}
