import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { NacreError } from "../../../shared/errors.ts";
import type { ChatModel, FinishReason, ModelEvent, ModelRequest } from "../../../shared/model.ts";
import { systemClock, type Clock } from "../kit/clock.ts";
import { modelError, type ModelEndpoint } from "./model-error.ts";
import { providerPrompt, providerTools } from "./provider-prompt.ts";
import { parseToolArguments } from "./tool-arguments.ts";

export interface OpenAICompatibleOptions extends ModelEndpoint {
  readonly fetch: typeof globalThis.fetch;
  readonly clock?: Clock;
}

const finishReasons: Readonly<Record<LanguageModelV3FinishReason["unified"], FinishReason>> = {
  stop: "stop",
  "tool-calls": "tool_calls",
  length: "length",
  "content-filter": "other",
  error: "other",
  other: "other",
};

/** Translates one part; undefined where the loop has no use for it. Errors are thrown. */
function translate(part: LanguageModelV3StreamPart): ModelEvent | undefined {
  switch (part.type) {
    case "text-delta":
      return { type: "text", text: part.delta };
    case "reasoning-delta":
      return { type: "reasoning", text: part.delta };
    case "tool-call":
      return {
        type: "tool_call",
        id: part.toolCallId,
        name: part.toolName,
        ...parseToolArguments(part.input),
      };
    case "error":
      throw part.error;
    default:
      return undefined;
  }
}

/** A model behind any endpoint that speaks the OpenAI chat-completions protocol. The provider loads at the first call. */
export function openAICompatibleModel(options: OpenAICompatibleOptions): ChatModel {
  const { provider, model, baseUrl, apiKey, fetch, clock = systemClock } = options;

  async function open(request: ModelRequest, signal: AbortSignal) {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const language = createOpenAICompatible({
      name: provider,
      baseURL: baseUrl,
      includeUsage: true,
      fetch,
      ...(apiKey === undefined ? {} : { apiKey }),
    }).chatModel(model);
    const { stream } = await language.doStream({
      prompt: providerPrompt(request),
      ...(request.tools.length === 0 ? {} : { tools: providerTools(request.tools) }),
      abortSignal: signal,
    });
    return stream.getReader();
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    signal.throwIfAborted();
    const closing = new AbortController();
    const close = (): void => closing.abort(signal.reason);
    signal.addEventListener("abort", close, { once: true });
    const calls: ModelEvent[] = [];
    let answered = false;
    try {
      const reader = await open(request, closing.signal);
      for (;;) {
        const { done, value: part } = await reader.read();
        if (done)
          throw new NacreError("internal", `the stream of ${options.model} ended without its last part`);
        if (part.type === "finish") {
          // Calls are handed on only when the answer is whole: half of one is never run.
          yield* calls;
          const { inputTokens, outputTokens } = part.usage;
          yield {
            type: "usage",
            usage: { inputTokens: inputTokens.total ?? 0, outputTokens: outputTokens.total ?? 0 },
          };
          yield { type: "finish", reason: finishReasons[part.finishReason.unified] };
          return;
        }
        const event = translate(part);
        if (event?.type === "tool_call") calls.push(event);
        else if (event !== undefined) {
          answered = true;
          yield event;
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      throw modelError(error, options, answered, clock.now());
    } finally {
      signal.removeEventListener("abort", close);
      // Also where the caller left early: the socket closes, and the server stops writing.
      closing.abort();
    }
  }

  return { id: `${provider}/${model}`, stream };
}
