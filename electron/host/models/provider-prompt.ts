import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
} from "@ai-sdk/provider";
import { isObject } from "../../../shared/json.ts";
import type { ModelMessage, ModelRequest, ModelTool } from "../../../shared/model.ts";

function convert(message: ModelMessage): LanguageModelV3Message {
  switch (message.role) {
    case "user":
      return { role: "user", content: [{ type: "text", text: message.text }] };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(message.reasoning ? [{ type: "reasoning" as const, text: message.reasoning }] : []),
          ...(message.text === "" ? [] : [{ type: "text" as const, text: message.text }]),
          ...message.calls.map((call) => ({
            type: "tool-call" as const,
            toolCallId: call.id,
            toolName: call.name,
            // Servers parse the arguments into their template: text that was no object would fail there.
            input: isObject(call.input) ? call.input : {},
          })),
        ],
      };
    case "tool":
      return {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: message.callId,
            toolName: message.name,
            output: { type: message.isError ? "error-text" : "text", value: message.output },
          },
        ],
      };
  }
}

/** The conversation as language model specification v3 wants it (`@ai-sdk/provider` 3). */
export const providerPrompt = (request: ModelRequest): LanguageModelV3Prompt => [
  ...(request.system === "" ? [] : [{ role: "system" as const, content: request.system }]),
  ...request.messages.map(convert),
];

/** Schemas go to the model as they came. */
export const providerTools = (tools: readonly ModelTool[]): LanguageModelV3FunctionTool[] =>
  tools.map(({ name, description, inputSchema }) => ({ type: "function", name, description, inputSchema }));
