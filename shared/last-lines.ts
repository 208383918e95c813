/** The last `count` lines, without the blank end; of all that the last `mostCharacters`. */
export function lastLines(text: string, count: number, mostCharacters = Infinity): string {
  const end = text.trimEnd().length;
  // Where the line after it would begin.
  let start = end + 1;
  for (let line = 0; line < count && start > 0; line += 1)
    start = start < 2 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  return text.slice(Math.max(start, end - mostCharacters), end);
}
