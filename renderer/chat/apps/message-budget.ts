/**
 * How much an app may say: `burst` messages at once, then `perSecond`. What draws at 30 frames a second and reports each
 * is within it; what floods is not.
 */
export class MessageBudget {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  /** @param now ms */
  constructor(now: () => number, burst = 300, perSecond = 60) {
    this.#now = now;
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#left = burst;
    this.#at = now();
  }
  /** False where it is used up. */
  take(): boolean {
    const now = this.#now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
