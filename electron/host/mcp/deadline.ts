/** A time limit that stands still while a person is waited for. */
export class Deadline {
  readonly #controller = new AbortController();
  #left: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;

  /** @param ms how long it runs, its pauses not counted */
  constructor(ms: number) {
    this.#left = ms;
    this.#run();
  }
  /** Aborts when the time is up. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }
  /** Stands still until the function that it gives is called; pauses may overlap. */
  pause(): () => void {
    if (this.#pauses++ === 0) {
      clearTimeout(this.#timer);
      this.#left -= performance.now() - this.#since;
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (--this.#pauses === 0) this.#run();
    };
  }
  /** Ends it: the signal does not abort any more. */
  stop(): void {
    this.#pauses = Infinity;
    clearTimeout(this.#timer);
  }
  #run(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(
      () => this.#controller.abort(new DOMException("the time is up", "TimeoutError")),
      this.#left,
    );
  }
}
