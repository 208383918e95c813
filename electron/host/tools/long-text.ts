import { cutEnd } from "../../../shared/visible-text.ts";
import { cutToBytes } from "../kit/output-collector.ts";
import { longestLine } from "./builtin/read-file.ts";

/**
 * A text as a model gets it: one that is too long ends at a line, and says where the rest is read. Its lines are wrapped then
 * where `read_file` would cut them, so none of it is lost.
 * @param limit what it is called, and how many bytes of it are handed over
 * @param keep Writes the whole of a long one and gives its path, as `read_file` takes it.
 * @throws what `keep` throws
 */
export function handedText(
  text: string,
  limit: { readonly what: string; readonly bytes: number },
  keep: (whole: string) => string,
): string {
  if (cutToBytes(text, limit.bytes).length === text.length) return text;
  const whole = text.split("\n").flatMap(wrapped).join("\n");
  // No line is long by now, so going back to the last end of one takes little away.
  const kept = cutToBytes(whole, limit.bytes);
  const shown = kept.slice(0, kept.lastIndexOf("\n"));
  const next = shown.split("\n").length + 1;
  return `${shown}\n(${limit.what} was longer; read_file ${keep(whole)} with offset ${next} reads the rest)`;
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
