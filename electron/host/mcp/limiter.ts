/** Lets so many pieces of work run at once; the others wait in order. */
export class Limiter {
  #free: number;
  readonly #waiting: (() => void)[] = [];
  constructor(places: number) {
    this.#free = places;
  }
  /** @throws what `work` throws; the signal's reason where it aborts before `work` began */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#place(signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
  #place(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(enter);
    });
  }
}
