import type { RecordLine, RecordedText } from "../record/lines.ts";

/** Whether the model has a text in its conversation already: since the last compaction, which may have taken it out. */
export function wasGiven(
  lines: readonly RecordLine[],
  text: string,
  readBlob: (sha256: string) => string,
): boolean {
  const isOutput = ({ text: start, blob }: RecordedText): boolean =>
    blob === undefined ? start === text : text.startsWith(start) && readBlob(blob.sha256) === text;
  const since = lines.findLastIndex(({ type }) => type === "compaction") + 1;
  return lines
    .slice(since)
    .some(
      (line) =>
        (line.type === "system" && line.audience === "model" && line.text.includes(text)) ||
        (line.type === "tool_result" && !line.isError && isOutput(line.output)),
    );
}
