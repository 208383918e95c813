import type { ChatModel, ModelEvent, ModelRequest } from "../../../shared/model.ts";
import { createIds, systemClock, type Clock } from "../kit/clock.ts";
import { ChatAnswer } from "./chat-answer.ts";
import { chatRequest } from "./chat-request.ts";
import { EventStream } from "./event-stream.ts";
import { modelError, type ModelEndpoint } from "./model-error.ts";

export interface OpenAICompatibleOptions extends ModelEndpoint {
  readonly fetch: typeof globalThis.fetch;
  readonly clock?: Clock;
}

/** A model behind any endpoint that speaks the OpenAI chat-completions protocol. */
export function openAICompatibleModel(options: OpenAICompatibleOptions): ChatModel {
  const { provider, model, baseUrl, apiKey, fetch, clock = systemClock } = options;
  const ids = createIds(clock);
  const url = `${baseUrl.replace(/\/+$/, "")}/chat/completions`;
  const headers = {
    "content-type": "application/json",
    "user-agent": "nacre",
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };

  async function open(request: ModelRequest, signal: AbortSignal) {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body: chatRequest(model, request),
      signal,
    });
    if (response.ok && response.body !== null) return response.body.getReader();
    const responseBody = await response.text();
    throw Object.assign(new Error(response.statusText), {
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody,
    });
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    signal.throwIfAborted();
    const closing = new AbortController();
    const close = (): void => closing.abort(signal.reason);
    signal.addEventListener("abort", close, { once: true });
    let answered = false;
    let whole = false;
    try {
      const reader = await open(request, closing.signal);
      const events = new EventStream();
      const answer = new ChatAnswer();
      let piece;
      // To the end of the stream: a connection whose answer was not read whole is not used again.
      do {
        piece = await reader.read();
        for (const data of piece.done ? events.end() : events.push(piece.value))
          for (const event of answer.read(data)) {
            answered = true;
            yield event;
          }
      } while (!piece.done);
      whole = true;
      // Calls are handed on only when the answer is whole: half of one is never run.
      yield* answer.end(() => ids.next());
    } catch (error) {
      signal.throwIfAborted();
      throw modelError(error, options, answered, clock.now());
    } finally {
      signal.removeEventListener("abort", close);
      // Also where the caller left early: the socket closes, and the server stops writing.
      if (!whole) closing.abort();
    }
  }

  return { id: `${provider}/${model}`, stream };
}
