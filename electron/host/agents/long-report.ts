import { cutEnd } from "../../../shared/visible-text.ts";
import { cutToBytes } from "../kit/output-collector.ts";
import { longestLine } from "../tools/builtin/read-file.ts";

/** Bytes of a report that its caller gets; with the words behind it they fit into a call's result of 512 KB. */
const largestReport = 508 * 1024;

/**
 * A sub-agent's report as its caller gets it: one that is too long ends at a line, and says where the rest is read.
 * Its lines are wrapped then where `read_file` would cut them, so none of it is lost.
 * @param keep Writes the whole of a long one and gives its path, as `read_file` takes it.
 * @throws what `keep` throws
 */
export function handedReport(report: string, keep: (whole: string) => string): string {
  if (cutToBytes(report, largestReport).length === report.length) return report;
  const whole = report.split("\n").flatMap(wrapped).join("\n");
  // No line is long by now, so going back to the last end of one takes little away.
  const kept = cutToBytes(whole, largestReport);
  const shown = kept.slice(0, kept.lastIndexOf("\n"));
  const next = shown.split("\n").length + 1;
  return `${shown}\n(the report was longer; read_file ${keep(whole)} with offset ${next} reads the rest)`;
}
function wrapped(line: string): readonly string[] {
  const pieces: string[] = [];
  let rest = line;
  do {
    const { kept } = cutEnd(rest, longestLine);
    pieces.push(kept);
    rest = rest.slice(kept.length);
  } while (rest !== "");
  return pieces;
}
