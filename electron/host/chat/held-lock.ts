import type { Lock } from "../record/session-lock.ts";

/** The session's lock, taken once for all that wait for it and given back when nothing waits. */
export class HeldLock {
  readonly #acquire: () => Promise<Lock>;
  #lock: Promise<Lock> | undefined;
  #released: Promise<void> = Promise.resolve();

  constructor(acquire: () => Promise<Lock>) {
    this.#acquire = acquire;
  }
  /** Resolves while the lock is held. One that was given back meanwhile is taken anew. @throws NacreError `locked` */
  async take(): Promise<void> {
    for (;;) {
      const lock = (this.#lock ??= this.#released.then(this.#acquire));
      try {
        await lock;
      } catch (error) {
        if (this.#lock === lock) this.#lock = undefined;
        throw error;
      }
      if (this.#lock === lock) return;
    }
  }
  /** Gives it back behind; `released` tells when. */
  release(onError: (error: unknown) => void): void {
    const lock = this.#lock;
    this.#lock = undefined;
    const release = async (): Promise<void> => (await lock)?.release();
    this.#released = release().catch(onError);
  }
  get released(): Promise<void> {
    return this.#released;
  }
}
