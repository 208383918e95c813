const lineFeed = 0x0a;

/**
 * Cuts a stream of bytes into lines; a line's bytes are whole, so that characters split over chunks come out right.
 * Of a line larger than `limitBytes` the start is handed to `onTooLong` and the rest dropped.
 */
export class LineSplitter {
  readonly #limitBytes: number;
  readonly #onLine: (line: string) => void;
  readonly #onTooLong: (start: string) => void;
  #parts: Buffer[] = [];
  #size = 0;
  #dropping = false;
  constructor(limitBytes: number, onLine: (line: string) => void, onTooLong: (start: string) => void) {
    this.#limitBytes = limitBytes;
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
  }
  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      this.#add(chunk.subarray(from, at));
      this.end();
      from = at + 1;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
  }
  /** Ends the last line where the stream ended without a line feed. */
  end(): void {
    if (this.#dropping) this.#dropping = false;
    else if (this.#parts.length > 0) this.#onLine(this.#take());
  }
  #add(bytes: Buffer): void {
    if (this.#dropping) return;
    this.#parts.push(bytes.subarray(0, this.#limitBytes - this.#size));
    this.#size += bytes.length;
    if (this.#size <= this.#limitBytes) return;
    this.#dropping = true;
    this.#onTooLong(this.#take());
  }
  #take(): string {
    const whole = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    // One text of the whole line; a byte order mark before it and a carriage return behind it are no part of it.
    return (whole ?? Buffer.alloc(0))
      .toString("utf8")
      .replace(/^\uFEFF/, "")
      .replace(/\r$/, "");
  }
}
