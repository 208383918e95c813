import { cutToBytes } from "../kit/output-collector.ts";

/** Bytes of a report that its caller gets; with the words behind it they fit into a call's result of 512 KB. */
const largestReport = 508 * 1024;

/**
 * A sub-agent's report as its caller gets it: one that is too long ends at a line, and says where the rest is read.
 * @param keep Writes the whole of a long one and gives its path, as `read_file` takes it.
 * @throws what `keep` throws
 */
export function handedReport(report: string, keep: (whole: string) => string): string {
  const kept = cutToBytes(report, largestReport);
  if (kept.length === report.length) return report;
  const end = kept.lastIndexOf("\n");
  const shown = end === -1 ? kept : kept.slice(0, end);
  // A line that is not whole is read from its beginning.
  const next = end === -1 ? 1 : shown.split("\n").length + 1;
  return `${shown}\n(the report was longer; read_file ${keep(report)} with offset ${next} reads the rest)`;
}
