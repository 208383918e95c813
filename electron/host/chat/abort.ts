import { NacreError } from "../../../shared/errors.ts";
import type { StopReason } from "../../../shared/session.ts";

/**
 * The promise's value, or the signal's reason as soon as it is aborted: what is waited for may go on behind, and how it
 * ends is not of interest any more.
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const aborted = (): void => reject(reasonOf(signal));
    if (signal.aborted) aborted();
    else signal.addEventListener("abort", aborted, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", aborted));
  });
}
const reasonOf = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new NacreError("stopped", "stopped by the user");

/** What a turn that was aborted says of itself. */
export function abortedAs(signal: AbortSignal): StopReason {
  const reason: unknown = signal.reason;
  const timeout =
    (reason instanceof NacreError && reason.code === "timeout") ||
    (reason instanceof Error && reason.name === "TimeoutError");
  return timeout ? "timeout" : "stopped";
}
