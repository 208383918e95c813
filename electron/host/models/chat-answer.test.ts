import { describe, expect, it } from "vitest";
import { BrokenAnswer, ChatAnswer } from "./chat-answer.ts";

const chunk = (delta: object, finish: string | null = null): string =>
  JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] });
const read = (...data: string[]) => {
  const answer = new ChatAnswer();
  return [...data.flatMap((one) => answer.read(one)), ...answer.end(() => "made")];
};

describe("ChatAnswer", () => {
  it("reads content that is a list of parts, thinking among them", () => {
    const content = [
      {
        type: "thinking",
        thinking: [
          { type: "text", text: "hm " },
          { type: "text", text: "so" },
        ],
      },
      { type: "text", text: "hello" },
      { type: "image", url: "x" },
      null,
    ];
    expect(read(chunk({ content }, "stop")).slice(0, 2)).toEqual([
      { type: "reasoning", text: "hm so" },
      { type: "text", text: "hello" },
    ]);
  });
  it("shows a refusal, and does not call it a normal end", () => {
    expect(read(chunk({ refusal: "I will not.", content: null }, "stop"))).toEqual([
      { type: "text", text: "I will not." },
      { type: "usage", usage: { inputTokens: 0, outputTokens: 0 } },
      { type: "finish", reason: "other" },
    ]);
    expect(read(chunk({ refusal: false }, "stop")).at(-1)).toEqual({ type: "finish", reason: "stop" });
  });
  it("takes usage from any chunk, the last that has one, and chunks without choices", () => {
    const counted = (prompt: number): string =>
      JSON.stringify({ usage: { prompt_tokens: prompt, completion_tokens: null } });
    expect(read(counted(3), chunk({ content: "a" }), chunk({}, "stop"), counted(5), "[DONE]")).toContainEqual(
      {
        type: "usage",
        usage: { inputTokens: 5, outputTokens: 0 },
      },
    );
  });
  it("names a call that came without an id", () => {
    expect(
      read(chunk({ tool_calls: [{ function: { name: "f", arguments: "{}" } }] }, "tool_calls"))[0],
    ).toEqual({
      type: "tool_call",
      id: "made",
      name: "f",
      input: {},
    });
  });
  it.each(["{", "3", "null", "[]"])("says so of %s", (data) => {
    expect(() => read(data)).toThrow(BrokenAnswer);
  });
  it("does not end an answer that the server did not end", () => {
    expect(() => read(chunk({ content: "a" }))).toThrow("without a finish reason");
  });
  it("throws the server's own error", () => {
    expect(() => read('{"error":{"message":"overloaded"}}')).toThrow(
      expect.objectContaining({ message: "overloaded" }),
    );
    expect(
      read(JSON.stringify({ error: null, choices: [{ delta: {}, finish_reason: "stop" }] })),
    ).toHaveLength(2);
  });
});
