import { lastBytes } from "../kit/output-collector.ts";

/** What was written from a place on. */
export interface RingText {
  readonly text: string;
  /** What lay between the place and this text was dropped. */
  readonly cut: boolean;
  /** Where the next look begins. */
  readonly end: number;
}

/** The end of a text that grows without end: the last so many bytes are kept. */
export class OutputRing {
  readonly #limit: number;
  #text = "";
  /** Characters that were written, also those that are gone. */
  #end = 0;

  /** @param limit bytes of UTF-8 */
  constructor(limit: number) {
    this.#limit = limit;
  }
  add(text: string): void {
    this.#end += text.length;
    this.#text += text;
    // Twice as much before it is cut, so that a chatty command costs no copy for each of its lines.
    if (this.#text.length > 2 * this.#limit) this.#text = lastBytes(this.#text, this.#limit);
  }
  /** @param from characters from the very beginning */
  since(from: number): RingText {
    const wanted = this.#text.slice(Math.max(0, this.#text.length - (this.#end - from)));
    const text = lastBytes(wanted, this.#limit);
    return { text, cut: text.length < this.#end - from, end: this.#end };
  }
  /** The last line that says something, at most so many characters of it. */
  lastLine(characters: number): string {
    const end = this.#text.slice(-8 * characters);
    const line = end.split(/[\r\n]+/).findLast((one) => one.trim() !== "") ?? "";
    return line.length > characters ? `${line.slice(0, characters - 1)}…` : line;
  }
}
