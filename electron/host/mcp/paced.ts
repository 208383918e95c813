/** A pause that follows a quiet time is short again. */
const calmAfter = 10;

/**
 * Runs one piece of work at a time. However often it is asked for meanwhile, it runs once more then, after a pause: the
 * first time at once, and ever more rarely where it is asked for without end.
 */
export class Paced {
  readonly #work: () => Promise<void>;
  readonly #gap: number;
  readonly #longest: number;
  #running = false;
  #again = false;
  #pause: number;
  #endedAt = -Infinity;
  /** @param work must not reject @param gapMs between two runs @param longestMs what the pause grows to */
  constructor(work: () => Promise<void>, gapMs = 200, longestMs = 30_000) {
    this.#work = work;
    this.#gap = gapMs;
    this.#longest = longestMs;
    this.#pause = gapMs;
  }
  request(): void {
    if (this.#running) this.#again = true;
    else void this.#run();
  }
  async #run(): Promise<void> {
    this.#running = true;
    if (performance.now() - this.#endedAt > calmAfter * this.#pause) this.#pause = this.#gap;
    do {
      this.#again = false;
      await this.#work();
      // Whoever ends meanwhile does not wait for it.
      await new Promise<void>((resolve) => setTimeout(resolve, this.#pause).unref());
      this.#pause = this.#again ? Math.min(this.#pause * 2, this.#longest) : this.#pause;
    } while (this.#again);
    this.#endedAt = performance.now();
    this.#running = false;
  }
}
