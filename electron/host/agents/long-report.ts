import { handedText } from "../tools/long-text.ts";

/** Bytes of a report that its caller gets; with the words behind it they fit into a call's result of 512 KB. */
const largestReport = 508 * 1024;

/**
 * A sub-agent's report as its caller gets it, as `handedText`.
 * @param keep Writes the whole of a long one and gives its path, as `read_file` takes it.
 * @throws what `keep` throws
 */
export const handedReport = (report: string, keep: (whole: string) => string): string =>
  handedText(report, { what: "the report", bytes: largestReport }, keep);
