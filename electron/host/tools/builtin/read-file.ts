import { StringDecoder } from "node:string_decoder";
import { NacreError } from "../../../../shared/errors.ts";
import type { Tool } from "../types.ts";
import { builtin, done, numberArgument, objectSchema, textArgument } from "./arguments.ts";
import { type OpenedFile, openFile } from "./checked-files.ts";
import { decidedPath } from "./paths.ts";
import { bytesInWords, looksBinary } from "./text.ts";

const defaultLines = 2_000;
const mostBytes = 512 * 1024;
/** UTF-16 units; a longer line is cut: minified files fill a context with one line. */
export const longestLine = 4_000;
const chunkBytes = 256 * 1024;

/** `read_file`: text with line numbers, a part at a time. */
export const readFileTool = (): Tool =>
  builtin({
    name: "read_file",
    description:
      "Reads a text file. Each line comes as its number, a tab and the text. Paths are relative to the workspace. " +
      `Without offset and limit the first ${defaultLines} lines come; the end of the result says how to go on.`,
    perm: "read",
    inputSchema: objectSchema(
      {
        path: { type: "string", minLength: 1, description: "The file, e.g. src/main.ts" },
        offset: { type: "integer", minimum: 1, description: "First line to read, counted from 1" },
        limit: { type: "integer", minimum: 1, description: `How many lines; ${defaultLines} when absent` },
      },
      ["path"],
    ),
    touches: (input) => ({ reads: [textArgument(input, "path")] }),
    async run(input, run) {
      const shown = textArgument(input, "path");
      const file = await openFile(decidedPath(run, shown), shown);
      try {
        const part = {
          first: numberArgument(input, "offset", 1),
          count: numberArgument(input, "limit", defaultLines),
        };
        return done(await readPart(file, shown, part, run.signal));
      } finally {
        await file.handle.close();
      }
    },
  });

async function readPart(
  file: OpenedFile,
  shown: string,
  part: { first: number; count: number },
  signal: AbortSignal,
): Promise<string> {
  const lines = new NumberedLines(part.first, part.count);
  const decoder = new StringDecoder("utf8");
  const chunk = Buffer.alloc(Math.min(chunkBytes, Math.max(file.size + 1, 4_096)));
  for (let position = 0; !lines.full;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    if (position === 0 && looksBinary(bytes))
      throw new NacreError(
        "invalid_input",
        `${shown} is a binary file (${bytesInWords(file.size)}), not text`,
      );
    lines.take(decoder.write(bytes));
    position += bytesRead;
    if (bytesRead < chunk.length && position >= file.size) break;
  }
  if (!lines.full) lines.end(decoder.end());
  if (lines.seen === 0) return `(${shown} is empty)`;
  if (lines.count === 0)
    throw new NacreError(
      "invalid_input",
      `${shown} has only ${lines.seen} lines; offset ${part.first} is behind its end`,
    );
  const next = part.first + lines.count;
  return lines.full && lines.more
    ? `${lines.text}\n(more follows: go on with offset ${next}; the file has ${bytesInWords(file.size)})`
    : lines.text;
}

/** Collects the wanted lines of a text that comes in pieces. */
class NumberedLines {
  readonly #first: number;
  readonly #wanted: number;
  readonly #lines: string[] = [];
  #bytes = 0;
  #rest = "";
  #cut = false;
  seen = 0;
  full = false;
  /** Whether something stands behind the last line that was taken. */
  more = false;
  constructor(first: number, wanted: number) {
    this.#first = first;
    this.#wanted = wanted;
  }
  get count(): number {
    return this.#lines.length;
  }
  get text(): string {
    return this.#lines.join("\n");
  }
  take(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#extend(text.slice(start, end));
      this.#close();
      start = end + 1;
      if (this.full) return;
    }
    this.#extend(text.slice(start));
  }
  end(text: string): void {
    this.take(text);
    if (!this.full && this.#rest !== "") this.#close();
  }
  #extend(text: string): void {
    const room = longestLine - this.#rest.length;
    if (text.length > room) this.#cut = true;
    this.#rest += text.slice(0, Math.max(0, room));
  }
  #close(): void {
    this.seen += 1;
    if (this.seen >= this.#first + this.#wanted) this.#stop();
    else if (this.seen >= this.#first) this.#add();
    this.#rest = "";
    this.#cut = false;
  }
  #add(): void {
    const plain = (this.seen === 1 ? this.#rest.replace(/^\uFEFF/, "") : this.#rest).replace(/\r$/, "");
    const line = `${this.seen}\t${plain}${this.#cut ? " … (the line goes on)" : ""}`;
    this.#bytes += Buffer.byteLength(line) + 1;
    if (this.#bytes > mostBytes) this.#stop();
    else this.#lines.push(line);
  }
  #stop(): void {
    this.full = true;
    this.more = true;
  }
}
