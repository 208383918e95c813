import { NacreError } from "../../../shared/errors.ts";
import type { StopReason } from "../../../shared/session.ts";

/** What a turn that was aborted says of itself. */
export function abortedAs(signal: AbortSignal): StopReason {
  const reason: unknown = signal.reason;
  const timeout =
    (reason instanceof NacreError && reason.code === "timeout") ||
    (reason instanceof Error && reason.name === "TimeoutError");
  return timeout ? "timeout" : "stopped";
}
