/** Lets so many pieces of work run at once; the others wait in order, but not for one that takes long. */
export class Limiter {
  #free: number;
  readonly #patience: number;
  readonly #waiting: (() => void)[] = [];
  /** @param patienceMs after which a piece of work goes on without its place, so that what hangs holds up nobody */
  constructor(places: number, patienceMs = 2 ** 31 - 1) {
    this.#free = places;
    this.#patience = patienceMs;
  }
  /** @throws what `work` throws; the signal's reason where it aborts before `work` began */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#place(signal);
    let holds = true;
    const leave = (): void => {
      if (!holds) return;
      holds = false;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    };
    const timer = setTimeout(leave, this.#patience);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      clearTimeout(timer);
      leave();
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
