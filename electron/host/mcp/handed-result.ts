import type { ToolOutput } from "../tools/types.ts";
import { handedText } from "../tools/long-text.ts";

/** Bytes of a server's answer that a model gets: about 25,000 tokens. The rest it reads where it needs it. */
const largestResult = 100 * 1024;

/**
 * A server's answer as a conversation gets it: of one that is too long the beginning, and where the rest is read. The blocks
 * that it came in are left out then, as they hold the same once more.
 * @param keep writes a text beside the conversation and gives its path, as `read_file` takes it @throws what `keep` throws
 */
export function handedResult(output: ToolOutput, keep: (whole: string) => string): ToolOutput {
  const text = handedText(output.output, { what: "the answer", bytes: largestResult }, keep);
  if (text === output.output) return output;
  const { structuredContent: _, ...rest } = output;
  return { ...rest, output: text, content: [{ type: "text", text }] };
}
