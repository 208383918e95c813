import { isObject, type JsonObject } from "../../../../shared/json.ts";
import type { ChatModel, ModelMessage } from "../../../../shared/model.ts";
import type { AskPerson } from "../../../../shared/mcp-request.ts";
import { dataText } from "./resource-text.ts";

/** What `sampling/createMessage` answers. */
export interface SamplingResult {
  readonly role: "assistant";
  readonly content: { readonly type: "text"; readonly text: string };
  readonly model: string;
  readonly stopReason: "endTurn" | "maxTokens";
  readonly [key: string]: unknown;
}
/** An answer to a server that is an error of the protocol, with its code. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
/** "User rejected sampling request" (MCP 2025-11-25, Sampling, Error Handling). */
const rejected = -1;
/** JSON-RPC 2.0, Error object. */
const invalidParams = -32602;
const internalError = -32603;

/** Characters of all that a server may have the model read: more than that no person reads before agreeing. */
const mostText = 200_000;
/** A token is about this many characters: an estimate, as each model counts in its own way. */
const charactersOfToken = 4;
const usualTokens = 1000;

interface SamplingRequest {
  readonly system: string;
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly text: string }[];
  readonly maxTokens: number;
}
/** @throws AnswerError where it asks for what is not offered */
function readRequest(params: JsonObject): SamplingRequest {
  const { tools, messages: list, systemPrompt, maxTokens } = params;
  if (Array.isArray(tools) && tools.length > 0)
    throw new AnswerError(invalidParams, "this client offers no tools in sampling");
  const messages = (Array.isArray(list) ? list : []).filter(isObject).map((message) => {
    const { content } = message;
    const blocks = (Array.isArray(content) ? content : [content]).filter(isObject);
    return {
      role: message["role"] === "assistant" ? ("assistant" as const) : ("user" as const),
      text: blocks.map(blockText).join("\n"),
    };
  });
  if (messages.length === 0) throw new AnswerError(invalidParams, "there are no messages");
  const system = typeof systemPrompt === "string" ? systemPrompt : "";
  const length = messages.reduce((sum, { text }) => sum + text.length, system.length);
  if (length > mostText)
    throw new AnswerError(invalidParams, `the messages are longer than ${mostText} characters`);
  const isCount = typeof maxTokens === "number" && maxTokens >= 1;
  return { system, messages, maxTokens: isCount ? Math.floor(maxTokens) : usualTokens };
}
/** Text as it is; what no model here takes by its type and size. */
function blockText({ type, text, data, mimeType }: JsonObject): string {
  if (type === "text" && typeof text === "string") return text;
  if ((type === "image" || type === "audio") && typeof data === "string")
    return `${type} ${dataText(typeof mimeType === "string" ? mimeType : undefined, data)}`;
  throw new AnswerError(invalidParams, `messages of the type ${JSON.stringify(type)} are not offered`);
}

/**
 * Answers `sampling/createMessage`: a person sees all that the model would be sent, and only then it is asked.
 * @param lend the model that answers; null where there is none
 * @throws AnswerError declined, not offered, no model, a model that fails; the signal's reason
 */
export async function answerSampling(
  params: JsonObject,
  server: string,
  ask: AskPerson,
  lend: () => Promise<ChatModel | null>,
  signal: AbortSignal,
): Promise<SamplingResult> {
  const { system, messages, maxTokens } = readRequest(params);
  const model = await lend().catch(() => null);
  if (model === null) throw new AnswerError(internalError, "no model is set up here");
  const { action } = await ask(
    { kind: "sampling", server, system, messages, maxTokens, model: model.id },
    signal,
  );
  if (action !== "accept") throw new AnswerError(rejected, "the user declined the sampling request");
  const most = maxTokens * charactersOfToken;
  let text = "";
  let isCut = false;
  try {
    const asked = messages.map((message): ModelMessage =>
      message.role === "user"
        ? { role: "user", text: message.text }
        : { ...message, role: "assistant", calls: [] },
    );
    for await (const event of model.stream({ system, messages: asked, tools: [] }, signal)) {
      if (event.type === "text") text += event.text;
      isCut = text.length > most || (event.type === "finish" && event.reason === "length");
      if (isCut || event.type === "finish") break;
    }
  } catch {
    signal.throwIfAborted();
    // The reason may tell of the person's account: it is none of the server's business.
    throw new AnswerError(internalError, "the model could not answer");
  }
  return {
    role: "assistant",
    content: { type: "text", text: text.slice(0, most) },
    model: model.id,
    stopReason: isCut ? "maxTokens" : "endTurn",
  };
}
