import type { Dispose } from "./disposable.ts";

/** Something to listen to. */
export interface Listenable<T> {
  on(listener: (value: T) => void): Dispose;
}
/** One typed event. A listener that throws is reported to `onError` and does not keep the others from hearing. */
export class Emitter<T> implements Listenable<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #onError: (error: unknown) => void;
  constructor(
    onError: (error: unknown) => void = (error) => {
      queueMicrotask(() => {
        throw error;
      });
    },
  ) {
    this.#onError = onError;
  }
  on(listener: (value: T) => void): Dispose {
    // A wrapper of its own, so that one function added twice is two listeners.
    const entry = (value: T): void => listener(value);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }
  emit(value: T): void {
    const heard = [...this.#listeners];
    for (const listener of heard) {
      try {
        listener(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}

/** Both as one: who listens hears each of them. */
export const either = (a: Listenable<unknown>, b: Listenable<unknown>): Listenable<unknown> => ({
  on(listener) {
    const stops = [a.on(listener), b.on(listener)];
    return async () => {
      for (const stop of stops) await stop();
    };
  },
});
