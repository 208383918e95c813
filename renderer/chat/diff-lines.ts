/** One line of a unified diff. Numbers are 1-based; the one of the side where the line is not is null. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "skip";
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
}

/** Reads a unified diff: headers are left out, each further hunk is preceded by a `skip`. */
export function diffLines(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inside = false;
  for (const line of diff.split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk) {
      if (inside) lines.push({ kind: "skip", before: null, after: null, text: "" });
      inside = true;
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      continue;
    }
    // Headers of a further file stand outside of hunks, as `\ No newline at end of file` does of lines.
    if (!inside || /^(?:diff |index |Index: |=+$|\\ )/.test(line)) continue;
    const text = line.slice(1);
    if (line.startsWith("+")) lines.push({ kind: "added", before: null, after: after++, text });
    else if (line.startsWith("-")) lines.push({ kind: "removed", before: before++, after: null, text });
    else if (line.startsWith(" ")) lines.push({ kind: "same", before: before++, after: after++, text });
  }
  return lines;
}

export const diffCounts = (lines: readonly DiffLine[]): { added: number; removed: number } => ({
  added: lines.filter(({ kind }) => kind === "added").length,
  removed: lines.filter(({ kind }) => kind === "removed").length,
});
