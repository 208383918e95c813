import { abortError } from "./abort.ts";

/** ms of work after which others get their turn (performance, What follows). */
const longestStretch = 8;

/** Asked between pieces of long work: a promise where the thread was held long enough, to be awaited. */
export type Pace = () => Promise<void> | undefined;

/**
 * @param yields False where nobody waits for the thread: on the command line nothing is paused.
 * @param signal Each question throws its reason once it is aborted.
 */
export function createPace(yields: boolean, signal?: AbortSignal): Pace {
  let since = performance.now();
  return () => {
    if (signal?.aborted) throw abortError(signal);
    if (!yields || performance.now() - since < longestStretch) return undefined;
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        since = performance.now();
        if (signal?.aborted) reject(abortError(signal));
        else resolve();
      });
    });
  };
}
