import { describe, expect, it } from "vitest";
import type { ModelMessage } from "../../../shared/model.ts";
import { chatRequest } from "./chat-request.ts";

describe("chatRequest", () => {
  const messages: ModelMessage[] = [
    { role: "user", text: 'a "quoted" line\n' },
    { role: "assistant", text: "", calls: [{ id: "c", name: "f", input: { a: 1 } }] },
    { role: "tool", callId: "c", name: "f", output: "日本", isError: false },
  ];
  it("is one document, the same each time, and grows with the conversation", () => {
    const tool = { name: "f", description: "d", inputSchema: { type: "object" } };
    const first = chatRequest("m", { system: "s", messages, tools: [tool] });
    expect(chatRequest("m", { system: "s", messages, tools: [tool] })).toBe(first);
    expect(JSON.parse(first)).toEqual({
      model: "m",
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: 'a "quoted" line\n' },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
        },
        { role: "tool", tool_call_id: "c", content: "日本" },
      ],
      tools: [
        { type: "function", function: { name: "f", description: "d", parameters: { type: "object" } } },
      ],
    });
    const more: ModelMessage[] = [...messages, { role: "assistant", text: "", calls: [] }];
    const next = JSON.parse(chatRequest("m", { system: "", messages: more, tools: [] })) as object;
    expect(next).not.toHaveProperty("tools");
    expect(next).toMatchObject({
      messages: [
        { role: "user" },
        { role: "assistant" },
        { role: "tool" },
        { role: "assistant", content: "" },
      ],
    });
  });
});
