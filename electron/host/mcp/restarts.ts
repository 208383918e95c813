import type { Clock } from "../kit/clock.ts";

/** A server that held so long counts as healthy again, ms. */
const healthyAfter = 60_000;

/** When a server that ended unasked is started again: `limit` attempts, with the waits given (spec 6: 1, 2, 4 s). */
export class Restarts {
  readonly #limit: number;
  readonly #delays: readonly number[];
  readonly #clock: Clock;
  #attempts = 0;
  #readyAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #waiting: { readonly over: Promise<void>; readonly end: () => void } | undefined;
  constructor(limit: number, delays: readonly number[], clock: Clock) {
    this.#limit = limit;
    this.#delays = delays;
    this.#clock = clock;
  }
  /** True between the first restart and the moment it is healthy or given up. */
  get isOn(): boolean {
    return this.#attempts > 0;
  }
  /** Resolves when the wait for the next attempt is over, one way or another; undefined where there is none. */
  get waiting(): Promise<void> | undefined {
    return this.#waiting?.over;
  }
  get attempts(): number {
    return this.#attempts;
  }
  /** It became ready. */
  ready(): void {
    this.#readyAt = this.#clock.now();
  }
  /** Forgets what was: somebody starts or stops it. */
  reset(): void {
    this.#endWait();
    this.#attempts = 0;
    this.#readyAt = 0;
  }
  /** Waits and starts; `off` where the declaration wants none, `gave_up` where the attempts are used up. */
  schedule(start: () => void): "scheduled" | "off" | "gave_up" {
    if (this.#limit <= 0) return "off";
    if (this.#readyAt > 0 && this.#clock.now() - this.#readyAt >= healthyAfter) this.#attempts = 0;
    this.#readyAt = 0;
    if (this.#attempts >= this.#limit) return "gave_up";
    const delay = this.#delays[Math.min(this.#attempts, this.#delays.length - 1)] ?? 0;
    this.#attempts++;
    this.#endWait();
    let end: () => void = () => undefined;
    this.#waiting = { over: new Promise((resolve) => (end = resolve)), end: () => end() };
    this.#timer = setTimeout(() => {
      start();
      this.#endWait();
    }, delay);
    return "scheduled";
  }
  #endWait(): void {
    clearTimeout(this.#timer);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.end();
  }
}
