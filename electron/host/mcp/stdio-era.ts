import { NacreError } from "../../../shared/errors.ts";
import { describe, isServerAnswer } from "./call-errors.ts";

/** `legacy` begins with `initialize` (2025-11-25 and older), `modern` with `server/discover` (2026-07-28). */
export type Era = "legacy" | "modern";

/** A server refused `initialize` and ended over it: a fresh process may be asked in the modern way. */
export class EndedByRefusal extends Error {
  override readonly name = "EndedByRefusal";
}

/** The server is there and does not want `initialize`: it answered with an error, or with a revision that has none. */
const isRefusal = (error: unknown): boolean =>
  isServerAnswer(error) ||
  (error instanceof Error && /protocol version is not supported/i.test(error.message));

/**
 * Shakes hands by `initialize`, and by `server/discover` on the same process only where that was refused: nearly every
 * server over stdio is of the older era, and some end at a request that comes before `initialize` (decision 21).
 * @param isGone whether the process ends
 * @throws EndedByRefusal; NacreError `unavailable` where both were refused; what `attempt` throws
 */
export async function inEitherEra<T>(
  attempt: (era: Era) => Promise<T>,
  isGone: () => boolean,
  onNote: (text: string) => void,
  signal: AbortSignal,
): Promise<T> {
  let refusal: string;
  try {
    return await attempt("legacy");
  } catch (error) {
    signal.throwIfAborted();
    if (!isRefusal(error)) throw error;
    refusal = describe(error);
  }
  onNote(`initialize was refused (${refusal}); server/discover is tried`);
  try {
    return await attempt("modern");
  } catch (error) {
    signal.throwIfAborted();
    if (isGone()) throw new EndedByRefusal(`it refused initialize: ${refusal}`, { cause: error });
    throw new NacreError(
      "unavailable",
      `the server refused initialize (${refusal}), and server/discover did not work either: ${describe(error)}`,
      { cause: error },
    );
  }
}
