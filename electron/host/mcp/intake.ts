import type { Readable } from "node:stream";

/** How long one budget lasts, ms. */
const span = 100;

/**
 * Reads a stream at a bounded pace: what is over the budget of a moment waits in the pipe, and so does who writes it.
 * One server that floods gets its share of the host's thread and no more.
 */
export class Intake {
  readonly #stream: Readable;
  readonly #most: number;
  #taken = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  /** @param most units in 100 ms */
  constructor(stream: Readable, most: number) {
    this.#stream = stream;
    this.#most = most;
  }
  /** So many units came. */
  count(units: number): void {
    const now = performance.now();
    if (now - this.#since >= span) {
      this.#since = now;
      this.#taken = 0;
    }
    this.#taken += units;
    if (this.#taken <= this.#most || this.#timer !== undefined) return;
    this.#stream.pause();
    this.#timer = setTimeout(() => this.end(), span);
  }
  /** Reads on. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#stream.resume();
  }
}
