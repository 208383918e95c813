import { StringDecoder } from "node:string_decoder";

/** Text that came in pieces: decoded across their borders and capped while it streams. */
export class OutputCollector {
  readonly #limit: number | "none";
  readonly #onText: (text: string) => void;
  readonly #pieces: string[] = [];
  #bytes = 0;
  #truncated = false;

  /**
   * @param limit bytes of UTF-8 to keep, the rest is dropped; "none": nothing is kept, and all of it is heard
   * @param onText hears what is kept, as it comes
   */
  constructor(limit: number | "none", onText: (text: string) => void = () => undefined) {
    this.#limit = limit;
    this.#onText = onText;
  }
  /** One stream's input; each stream has its own borders. */
  input(): { write(chunk: Uint8Array): void; end(): void } {
    const decoder = new StringDecoder("utf8");
    return {
      write: (chunk) =>
        this.#take(decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))),
      end: () => this.#take(decoder.end()),
    };
  }
  get text(): string {
    return this.#pieces.join("");
  }
  get truncated(): boolean {
    return this.#truncated;
  }
  #take(text: string): void {
    if (text === "" || this.#truncated) {
      return;
    }
    if (this.#limit === "none") {
      this.#onText(text);
      return;
    }
    const kept = cutToBytes(text, this.#limit - this.#bytes);
    this.#truncated = kept.length < text.length;
    if (kept === "") return;
    this.#bytes += Buffer.byteLength(kept);
    this.#pieces.push(kept);
    this.#onText(kept);
  }
}

/** The longest beginning of a text that fits into so many bytes of UTF-8; never half a character. */
export function cutToBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const encoded = Buffer.from(text).subarray(0, Math.max(0, bytes));
  // A decoder keeps an unfinished character to itself.
  return new StringDecoder("utf8").write(encoded);
}
/** The longest end of a text that fits into so many bytes of UTF-8; never half a character. */
export function lastBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const encoded = Buffer.from(text);
  let start = encoded.length - bytes;
  // 10xxxxxx goes on with a character that begins before.
  while (start < encoded.length && ((encoded[start] ?? 0) & 0xc0) === 0x80) start++;
  return encoded.toString("utf8", start);
}
