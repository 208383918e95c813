/** One line of two texts beside each other; null where a side has none. */
export interface SideLine {
  readonly before: string | null;
  readonly after: string | null;
  readonly kind: "same" | "changed";
}
/** Past so many changed lines the search for the shortest difference would hold the page. */
const mostChanges = 1_000;
const linesOf = (text: string): string[] => text.replace(/\n$/, "").split("\n");

/** Two texts line by line: what was taken out beside what stands in its place. */
export async function sideLines(before: string, after: string): Promise<readonly SideLine[]> {
  const { diffLines } = await import("diff");
  const parts = diffLines(before, after, { maxEditLength: mostChanges }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const lines: SideLine[] = [];
  let [gone, come]: string[][] = [[], []];
  const flush = (): void => {
    const [left = [], right = []] = [gone, come];
    for (let at = 0; at < Math.max(left.length, right.length); at += 1)
      lines.push({ before: left[at] ?? null, after: right[at] ?? null, kind: "changed" });
    [gone, come] = [[], []];
  };
  for (const { value, removed, added } of parts) {
    if (removed) gone = [...(gone ?? []), ...linesOf(value)];
    else if (added) come = [...(come ?? []), ...linesOf(value)];
    else {
      flush();
      for (const line of linesOf(value)) lines.push({ before: line, after: line, kind: "same" });
    }
  }
  flush();
  return lines;
}
