import { setMaxListeners } from "node:events";

/** A call that reports progress may go on for so long, ms; the time of a person who is asked does not count. */
export const longestCall = 60 * 60_000;

/** The time limits of one call: since its last progress, and altogether. Both stand still while a person is waited for. */
export class CallLimit {
  readonly #controller = new AbortController();
  readonly #silence: number;
  readonly #total: number;
  readonly #unfollow: () => void;
  /** Running time, ms, its pauses left out: until the last pause, and of the last progress. */
  #spent = 0;
  #heardAt = 0;
  #since = performance.now();
  #pauses = 0;
  #timer: NodeJS.Timeout | undefined;
  #over: "silence" | "total" | undefined;

  /**
   * @param silence ms since the last progress @param total ms altogether; not less than `silence`
   * @param stop who else ends the call @throws its reason
   */
  constructor(silence: number, total: number, stop: AbortSignal) {
    stop.throwIfAborted();
    this.#silence = silence;
    this.#total = Math.max(total, silence);
    const abort = (): void => this.#controller.abort(stop.reason);
    // Many calls may run under one signal; Node would warn of so many listeners.
    setMaxListeners(0, stop);
    stop.addEventListener("abort", abort, { once: true });
    this.#unfollow = () => stop.removeEventListener("abort", abort);
    this.#arm();
  }
  /** Aborts when a limit is reached, or with the reason of who else ended the call. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }
  /** Which limit was reached. */
  get over(): "silence" | "total" | undefined {
    return this.#over;
  }
  /** The server is at work. Costs nothing, however often it is told. */
  progress(): void {
    this.#heardAt = this.#running();
  }
  /** Stands still until the function that it gives is called; pauses may overlap. */
  pause(): () => void {
    if (this.#pauses++ === 0) {
      this.#spent += performance.now() - this.#since;
      clearTimeout(this.#timer);
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (--this.#pauses > 0) return;
      this.#since = performance.now();
      this.#arm();
    };
  }
  /** The call is over: nothing of this is left. */
  end(): void {
    this.#pauses = Infinity;
    clearTimeout(this.#timer);
    this.#unfollow();
  }
  #running(): number {
    return this.#spent + (this.#pauses > 0 ? 0 : performance.now() - this.#since);
  }
  #arm(): void {
    const running = this.#running();
    const silent = this.#heardAt + this.#silence - running;
    const left = Math.min(silent, this.#total - running);
    if (left > 0) {
      this.#timer = setTimeout(() => this.#arm(), Math.ceil(left));
      return;
    }
    this.#over = silent <= 0 ? "silence" : "total";
    this.#controller.abort(new DOMException("the request timed out", "TimeoutError"));
  }
}

/** The calls that run on one connection: a question to a person stops the clock of all, as nothing tells which one asks. */
export class CallLimits {
  readonly #open = new Set<CallLimit>();

  /** Does `work` within its limits. @throws what `work` throws */
  async within<T>(
    silence: number,
    stop: AbortSignal,
    work: (limit: CallLimit) => Promise<T>,
    total: number = longestCall,
  ): Promise<T> {
    const limit = new CallLimit(silence, total, stop);
    this.#open.add(limit);
    try {
      return await work(limit);
    } finally {
      this.#open.delete(limit);
      limit.end();
    }
  }
  /** Stops the clock of what runs now, until the function that it gives is called. */
  readonly pause = (): (() => void) => {
    const resumes = [...this.#open].map((limit) => limit.pause());
    return () => resumes.forEach((resume) => resume());
  };
}
