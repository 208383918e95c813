/** What hangs so long after everything was told to end cannot be waited for, ms. */
const patience = 15_000;

/** The calls that are on their way, those among them that nobody waits for any more since their turn was stopped. */
export class RunningCalls {
  readonly #running = new Map<Promise<unknown>, string | null>();
  readonly #patience: number;
  /** @param wait ms to wait for calls that do not end; 15 s where absent */
  constructor(wait = patience) {
    this.#patience = wait;
  }
  /** Counts the call as running until it has ended; gives the same promise. */
  follow<T>(sessionId: string | null, call: Promise<T>): Promise<T> {
    this.#running.set(call, sessionId);
    const ended = (): void => void this.#running.delete(call);
    call.then(ended, ended);
    return call;
  }
  /**
   * Resolves when no call of the session runs (undefined: of anybody), or when they have been waited for long enough.
   * Gives how many go on all the same. Never rejects.
   */
  async settled(sessionId?: string): Promise<number> {
    const running = (): Promise<unknown>[] =>
      [...this.#running].flatMap(([call, session]) =>
        sessionId === undefined || session === sessionId ? [call] : [],
      );
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<"over">((resolve) => {
      timer = setTimeout(() => resolve("over"), this.#patience);
    });
    try {
      for (let calls = running(); calls.length > 0; calls = running())
        if ((await Promise.race([Promise.allSettled(calls), over])) === "over") return running().length;
      return 0;
    } finally {
      clearTimeout(timer);
    }
  }
}
