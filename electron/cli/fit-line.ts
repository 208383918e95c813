/** Characters that take two columns of a terminal (Unicode Standard Annex 11, wide and fullwidth). */
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
const columnsOf = (character: string): number => (wide.test(character) ? 2 : 1);

/** A text on one line of at most `width` columns, the "…" counted; whole where no width is known. */
export function fitLine(text: string, width: number | undefined): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (width === undefined) return line;
  const most = Math.max(1, width);
  let columns = 0;
  let cut = "";
  for (const character of line) {
    columns += columnsOf(character);
    if (columns > most) return `${cut.trimEnd()}…`;
    if (columns < most) cut += character;
  }
  return line;
}
