const plain = (word: string): string => word.toLowerCase().replaceAll(/[-_]/g, "");
/** Letters that may differ: one in a short word, two in a longer one. */
const most = (word: string): number => (word.length <= 4 ? 1 : 2);

/**
 * The word of `known` that somebody who wrote `word` most likely meant; undefined where none is near. Case, `-` and `_`
 * do not count.
 * @param atMost Letters that may differ, whatever the length.
 */
export function nearWord(word: string, known: Iterable<string>, atMost = Infinity): string | undefined {
  let best: { readonly word: string; readonly steps: number } | undefined;
  const written = plain(word);
  for (const candidate of known) {
    const wanted = plain(candidate);
    const allowed = Math.min(most(wanted), atMost);
    if (Math.abs(wanted.length - written.length) > allowed) continue;
    const steps = distance(written, wanted);
    if (steps <= allowed && steps < wanted.length && (!best || steps < best.steps))
      best = { word: candidate, steps };
  }
  return best?.word;
}

/** Letters to add, drop, change or swap with their neighbour (optimal string alignment). */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_none, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + changed,
        swapped ? (beforeLast[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
