import { isObject } from "../../../shared/json.ts";
import type { ModelMessage, ModelRequest, ModelTool } from "../../../shared/model.ts";

/** Messages and tools go with every request of a turn again: the text of each is made once. */
const texts = new WeakMap<ModelMessage | ModelTool, string>();
function textOf<T extends ModelMessage | ModelTool>(part: T, convert: (part: T) => object): string {
  const known = texts.get(part);
  if (known !== undefined) return known;
  const text = JSON.stringify(convert(part));
  texts.set(part, text);
  return text;
}

/** The body of a streamed request as the OpenAI chat-completions protocol wants it, in JSON. */
export function chatRequest(model: string, { system, messages, tools }: ModelRequest): string {
  const first = system === "" ? [] : [JSON.stringify({ role: "system", content: system })];
  const sent = [...first, ...messages.map((message) => textOf(message, converted))].join(",");
  const offered =
    tools.length === 0 ? "" : `,"tools":[${tools.map((tool) => textOf(tool, convertedTool)).join(",")}]`;
  return `{"model":${JSON.stringify(model)},"stream":true,"stream_options":{"include_usage":true},"messages":[${sent}]${offered}}`;
}
/** Schemas go to the model as they came. */
const convertedTool = ({ name, description, inputSchema }: ModelTool): object => ({
  type: "function",
  function: { name, description, parameters: inputSchema },
});
function converted(message: ModelMessage): object {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.text };
    case "assistant": {
      const { text, reasoning, calls } = message;
      return {
        role: "assistant",
        content: text === "" && calls.length > 0 ? null : text,
        // DeepSeek and others want it back within the turn that made it.
        ...(reasoning ? { reasoning_content: reasoning } : {}),
        ...(calls.length === 0
          ? {}
          : {
              tool_calls: calls.map(({ id, name, input }) => ({
                id,
                type: "function",
                // Servers parse the arguments into their template: text that was no object would fail there.
                function: { name, arguments: JSON.stringify(isObject(input) ? input : {}) },
              })),
            }),
      };
    }
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.output };
  }
}
