import { isObject, type JsonObject } from "../../../shared/json.ts";
import type { FinishReason, ModelEvent } from "../../../shared/model.ts";
import type { Usage } from "../../../shared/session.ts";
import { parseToolArguments } from "./tool-arguments.ts";
import { ToolCallParts } from "./tool-call-parts.ts";

/** An answer that ended before it was whole, or that cannot be read. */
export class BrokenAnswer extends Error {
  override readonly name = "BrokenAnswer";
}
const finishReasons: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  length: "length",
};
type Text = Extract<ModelEvent, { type: "text" | "reasoning" }>;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const count = (value: unknown): number => (typeof value === "number" ? value : 0);

/** One answer of the OpenAI chat-completions protocol, read chunk by chunk; what servers add or leave out is forgiven. */
export class ChatAnswer {
  readonly #calls = new ToolCallParts();
  #usage: Usage = { inputTokens: 0, outputTokens: 0 };
  #finish: string | undefined;
  #refused = false;

  /**
   * What one event of the stream holds for the loop; calls are told at the end alone.
   * @throws BrokenAnswer for what is no JSON, the server's own error as it came
   */
  read(data: string): Text[] {
    if (data === "[DONE]") return [];
    const chunk = parsed(data);
    if (chunk["error"] !== undefined && chunk["error"] !== null) throw chunk["error"];
    const { usage, choices } = chunk;
    if (isObject(usage))
      this.#usage = {
        inputTokens: count(usage["prompt_tokens"]),
        outputTokens: count(usage["completion_tokens"]),
      };
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (!isObject(choice)) return [];
    if (typeof choice["finish_reason"] === "string") this.#finish = choice["finish_reason"];
    return isObject(choice["delta"]) ? this.#delta(choice["delta"]) : [];
  }
  /**
   * The calls of the whole answer, what it cost and why it ended.
   * @throws BrokenAnswer where the server never said that it ended: half of a call is never run
   */
  end(newId: () => string): ModelEvent[] {
    if (this.#finish === undefined) throw new BrokenAnswer("the stream ended without a finish reason");
    const reason = finishReasons[this.#finish] ?? "other";
    return [
      ...this.#calls.calls().map(({ id, name, arguments: text }): ModelEvent => ({
        type: "tool_call",
        id: id || newId(),
        name,
        ...parseToolArguments(text),
      })),
      { type: "usage", usage: this.#usage },
      { type: "finish", reason: reason === "stop" && this.#refused ? "other" : reason },
    ];
  }
  #delta(delta: JsonObject): Text[] {
    const told: Text[] = [];
    const tell = (type: Text["type"], text: string): void => void (text !== "" && told.push({ type, text }));
    // vLLM says `reasoning`, most others `reasoning_content`.
    tell("reasoning", textOf(delta["reasoning_content"]) || textOf(delta["reasoning"]));
    const { content, refusal, tool_calls: pieces } = delta;
    if (typeof content === "string") tell("text", content);
    else if (Array.isArray(content))
      for (const part of content.filter(isObject))
        if (part["type"] === "text") tell("text", textOf(part["text"]));
        else if (part["type"] === "thinking") tell("reasoning", thought(part["thinking"]));
    const refused = textOf(refusal);
    this.#refused ||= refused !== "";
    tell("text", refused);
    if (Array.isArray(pieces)) for (const piece of pieces) this.#calls.add(piece);
    return told;
  }
}

function parsed(data: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (error) {
    throw new BrokenAnswer(`a part of the answer is not valid JSON: ${data.slice(0, 100)}`, { cause: error });
  }
  if (!isObject(value)) throw new BrokenAnswer(`a part of the answer is no object: ${data.slice(0, 100)}`);
  return value;
}
/** Mistral's thinking: a list of texts. */
const thought = (list: unknown): string =>
  Array.isArray(list)
    ? list
        .filter(isObject)
        .map((part) => textOf(part["text"]))
        .join("")
    : "";
