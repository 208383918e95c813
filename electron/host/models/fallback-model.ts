import { NacreError } from "../../../shared/errors.ts";
import type { ChatModel, ModelErrorData, ModelEvent, ModelRequest } from "../../../shared/model.ts";

/**
 * The first model, and the second one from then on where the first one's server does not know it, which a `notice`
 * tells. `id` is the one that answers.
 * @param why what the notice says, before what the server said
 */
export function withFallback(first: ChatModel, second: ChatModel, why: string): ChatModel {
  let answers = first;
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    if (answers === first)
      try {
        yield* first.stream(request, signal);
        return;
      } catch (error) {
        if (!isUnknown(error)) throw error;
        answers = second;
        yield { type: "notice", text: `${why}: ${error.message}. ${second.id} answers instead.` };
      }
    yield* second.stream(request, signal);
  }
  return {
    get id() {
      return answers.id;
    },
    stream,
  };
}
/** A server says so before anything of an answer comes. */
const isUnknown = (error: unknown): error is NacreError =>
  error instanceof NacreError &&
  error.code === "model" &&
  (error.data as ModelErrorData | undefined)?.failure === "unknown_model";
