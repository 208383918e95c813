/** Tells when nothing was done for a while. Without a time it never does. */
export class IdleTimer {
  readonly #ms: number | undefined;
  readonly #onIdle: () => void;
  #busy = 0;
  #timer: NodeJS.Timeout | undefined;
  constructor(ms: number | undefined, onIdle: () => void) {
    this.#ms = ms;
    this.#onIdle = onIdle;
  }
  enter(): void {
    this.#busy++;
    this.stop();
  }
  leave(): void {
    this.#busy--;
    this.start();
  }
  /** Counts from now on, unless something is being done. */
  start(): void {
    this.stop();
    if (this.#ms !== undefined && this.#busy === 0) this.#timer = setTimeout(this.#onIdle, this.#ms);
  }
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
