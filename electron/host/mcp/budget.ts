/** So many at once, and then so many a second: for what a server may send as often as it likes. */
export class Budget {
  readonly #burst: number;
  readonly #perSecond: number;
  #left: number;
  #at: number;
  readonly #now: () => number;
  /** @param now ms; only differences count */
  constructor(burst: number, perSecond: number, now: () => number = () => performance.now()) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#left = burst;
    this.#now = now;
    this.#at = now();
  }
  /** True where there is one more; it is used up then. */
  take(): boolean {
    const now = this.#now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) * this.#perSecond) / 1000);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
