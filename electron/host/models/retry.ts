import { setTimeout as sleep } from "node:timers/promises";
import { NacreError } from "../../../shared/errors.ts";
import type { ChatModel, ModelErrorData, ModelEvent, ModelRequest } from "../../../shared/model.ts";

export interface RetryOptions {
  /** Calls in all, the first one counted. */
  readonly maxTries?: number;
  /** Wait before the second try, ms; doubled before each further one. `Retry-After` replaces it. */
  readonly baseDelayMs?: number;
  /** A server that asks to wait longer is not waited for, ms. */
  readonly maxDelayMs?: number;
}

/** Rate limits and failures of the server may pass; anything else will fail again. */
const mayPass = (error: unknown): ModelErrorData | undefined => {
  if (!(error instanceof NacreError) || error.code !== "model") return undefined;
  const data = error.data as ModelErrorData | undefined;
  return data?.failure === "rate_limit" || data?.failure === "server" ? data : undefined;
};

/**
 * The same model, whose call is repeated on 429 and 5xx as long as nothing of the answer came (spec 8, Models). Each
 * repeat is announced by a `retry` event before its wait; an abort ends the wait.
 */
export function withRetry(model: ChatModel, options: RetryOptions = {}): ChatModel {
  const { maxTries = 3, baseDelayMs = 1_000, maxDelayMs = 120_000 } = options;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    for (let attempt = 1; ; attempt += 1) {
      let answered = false;
      try {
        for await (const event of model.stream(request, signal)) {
          answered = true;
          yield event;
        }
        return;
      } catch (error) {
        const data = mayPass(error);
        const delayMs = data?.retryAfterMs ?? baseDelayMs * 2 ** (attempt - 1);
        if (data === undefined || answered || attempt >= maxTries || delayMs > maxDelayMs) throw error;
        yield {
          type: "retry",
          attempt,
          delayMs,
          reason: error instanceof Error ? error.message : String(error),
        };
        await sleep(delayMs, undefined, { signal }).catch((reason: unknown) => {
          throw signal.aborted ? signal.reason : reason;
        });
      }
    }
  }
  return { id: model.id, stream };
}
