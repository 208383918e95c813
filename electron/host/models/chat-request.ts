import { isObject } from "../../../shared/json.ts";
import type { ModelMessage, ModelRequest, ModelTool } from "../../../shared/model.ts";

/** The same list goes with every request of a turn: its text is made once. */
const toolTexts = new WeakMap<readonly ModelTool[], string>();

/** The body of a streamed request as the OpenAI chat-completions protocol wants it, in JSON. */
export function chatRequest(model: string, { system, messages, tools }: ModelRequest): string {
  const sent = [...(system === "" ? [] : [{ role: "system", content: system }]), ...messages.map(converted)];
  const head = { model, messages: sent, stream: true, stream_options: { include_usage: true } };
  const text = JSON.stringify(head);
  return tools.length === 0 ? text : `${text.slice(0, -1)},"tools":${toolText(tools)}}`;
}
function toolText(tools: readonly ModelTool[]): string {
  const known = toolTexts.get(tools);
  if (known !== undefined) return known;
  // Schemas go to the model as they came.
  const made = JSON.stringify(
    tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      function: { name, description, parameters: inputSchema },
    })),
  );
  toolTexts.set(tools, made);
  return made;
}
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
