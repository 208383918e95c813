import { NacreError } from "../../../shared/errors.ts";

/** Why the signal was aborted. A reason that is no error counts as a stop by the user. */
export const abortError = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new NacreError("stopped", "stopped by the user");

/**
 * The work's outcome, or the signal's reason as soon as it is aborted, at once where it is already. What is waited for
 * may go on behind; how it ends is nobody's then. Rejects with `abortError`.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const aborted = (): void => reject(abortError(signal));
    if (signal.aborted) aborted();
    else signal.addEventListener("abort", aborted, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", aborted));
  });
}
