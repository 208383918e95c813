import { describe, expect, it } from "vitest";
import type { ChatModel, ModelEvent, ModelRequest } from "../../../../shared/model.ts";
import type { McpRequest, McpRequestAnswer } from "../../../../shared/mcp-request.ts";
import { createAnswers } from "./answers.ts";
import { answerSampling } from "./sampling.ts";

const { signal } = new AbortController();
/** Answers a server by a person and a model that say what the test wants; gives all that they were asked. */
async function sample(
  params: object,
  action: McpRequestAnswer["action"] = "accept",
  events: readonly ModelEvent[] = [
    { type: "text", text: "Pa" },
    { type: "text", text: "ris" },
    { type: "finish", reason: "stop" },
  ],
) {
  const shown: McpRequest[] = [];
  const sent: ModelRequest[] = [];
  const model: ChatModel = {
    id: "p/m",
    async *stream(request) {
      sent.push(request);
      yield* events;
    },
  };
  const ask = (request: McpRequest): Promise<McpRequestAnswer> => {
    shown.push(request);
    return Promise.resolve({ action });
  };
  const result = answerSampling({ ...params }, "far", ask, () => Promise.resolve(model), signal);
  return { result: await result.catch((error: unknown) => error), shown, sent };
}
const text = (words: string, role = "user") => ({ role, content: { type: "text", text: words } });

describe("sampling", () => {
  it("shows a person all that the model would be sent, and answers with the model's words and name", async () => {
    const messages = [text("Capital?"), text("Of what?", "assistant"), text("France")];
    const { result, shown, sent } = await sample({ messages, systemPrompt: "Be brief", maxTokens: 50 });
    const read = [
      { role: "user", text: "Capital?" },
      { role: "assistant", text: "Of what?" },
      { role: "user", text: "France" },
    ];
    expect(shown).toEqual([
      { kind: "sampling", server: "far", system: "Be brief", messages: read, maxTokens: 50, model: "p/m" },
    ]);
    expect(sent).toMatchObject([{ system: "Be brief", messages: read, tools: [] }]);
    expect(result).toEqual({
      role: "assistant",
      content: { type: "text", text: "Paris" },
      model: "p/m",
      stopReason: "endTurn",
    });
  });
  it.each(["decline", "cancel"] as const)(
    "%s: the protocol's error -1, and no model is asked",
    async (action) => {
      const { result, sent } = await sample({ messages: [text("x")] }, action);
      expect(result).toMatchObject({ code: -1 });
      expect(sent).toEqual([]);
    },
  );
  it("names images by type and size", async () => {
    const content = [
      { type: "image", mimeType: "image/png", data: "AAAA" },
      { type: "text", text: "What?" },
    ];
    const { shown } = await sample({ messages: [{ role: "user", content }] });
    expect(shown).toMatchObject([{ messages: [{ text: "image [image/png, 3 bytes]\nWhat?" }] }]);
  });
  it.each([
    { messages: [text("x")], tools: [{ name: "t" }] },
    { messages: [{ role: "assistant", content: { type: "tool_use", id: "1" } }] },
    { messages: [] },
    { messages: [text("x".repeat(200_001))] },
  ])("asks nobody for what is not offered", async (params) => {
    const { result, shown } = await sample(params);
    expect(result).toMatchObject({ code: -32602 });
    expect(shown).toEqual([]);
  });
  it("ends an answer at the server's limit", async () => {
    const { result } = await sample({ messages: [text("x")], maxTokens: 1 });
    expect(result).toMatchObject({ content: { text: "Pari" }, stopReason: "maxTokens" });
  });
  it("is offered only where a person and a model are there", () => {
    const ask = () => Promise.resolve({ action: "decline" as const });
    const lendModel = () => Promise.resolve(null);
    expect(createAnswers({ name: "s", lendModel }).capabilities).toEqual({});
    expect(createAnswers({ name: "s", ask }).capabilities).not.toHaveProperty("sampling");
    expect(createAnswers({ name: "s", ask, lendModel, roots: () => [] }).capabilities).toEqual({
      roots: { listChanged: true },
      elicitation: { form: {}, url: {} },
      sampling: {},
    });
  });
});
