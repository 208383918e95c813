import { untilAborted } from "../kit/abort.ts";

/** Values that several senders push and one reader takes, in order. */
export class Channel<T> {
  readonly #waiting: T[] = [];
  #wake: (() => void) | undefined;

  push(value: T): void {
    this.#waiting.push(value);
    this.#wake?.();
  }
  /** The next value. @throws the signal's reason when aborted */
  async next(signal: AbortSignal): Promise<T> {
    for (;;) {
      signal.throwIfAborted();
      const value = this.#waiting.shift();
      if (value !== undefined) return value;
      await untilAborted(new Promise<void>((resolve) => (this.#wake = resolve)), signal);
    }
  }
  /** What is there and was not taken. */
  drain(): T[] {
    return this.#waiting.splice(0);
  }
}
