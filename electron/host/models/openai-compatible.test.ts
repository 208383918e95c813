import { afterEach, describe, expect, it } from "vitest";
import { startModelServer, type ModelServer, type ScriptStep } from "../../../e2e/fixtures/model-server.mjs";
import { NacreError } from "../../../shared/errors.ts";
import type { ModelErrorData, ModelEvent, ModelRequest } from "../../../shared/model.ts";
import { openAICompatibleModel, type OpenAICompatibleOptions } from "./openai-compatible.ts";

const request: ModelRequest = {
  system: "Be brief.",
  messages: [{ role: "user", text: "hello" }],
  tools: [{ name: "read_file", description: "Reads.", inputSchema: { type: "object", properties: {} } }],
};
let server: ModelServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const start = async (steps: ScriptStep[], rest: { apiKey?: string } = {}): Promise<ModelServer> => {
  server = await startModelServer({ steps, ...rest });
  return server;
};
const model = (baseUrl: string, rest: Partial<OpenAICompatibleOptions> = {}) =>
  openAICompatibleModel({
    provider: "test",
    model: "any",
    baseUrl,
    keySource: null,
    fetch: globalThis.fetch,
    ...rest,
  });

async function collect(baseUrl: string, asked = request, rest: Partial<OpenAICompatibleOptions> = {}) {
  const events: ModelEvent[] = [];
  let error: unknown;
  try {
    for await (const event of model(baseUrl, rest).stream(asked, new AbortController().signal))
      events.push(event);
  } catch (thrown) {
    error = thrown;
  }
  const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  const reasoning = events.map((event) => (event.type === "reasoning" ? event.text : "")).join("");
  return { events, text, reasoning, error };
}
const failureOf = (error: unknown): ModelErrorData => {
  if (!(error instanceof NacreError)) throw new Error(`no NacreError: ${String(error)}`);
  return error.data as ModelErrorData;
};

describe("openAICompatibleModel", () => {
  it.each(["reasoning_content", "reasoning"] as const)(
    "streams text, %s, usage and the end",
    async (field) => {
      const { url } = await start([
        {
          reasoning: "Let me think about this.",
          reasoningField: field,
          text: "Hello there, friend.",
          usage: { inputTokens: 12, outputTokens: 7 },
        },
      ]);
      const { events, text, reasoning } = await collect(url);
      expect(text).toBe("Hello there, friend.");
      expect(reasoning).toBe("Let me think about this.");
      expect(events.filter((event) => event.type === "text").length).toBeGreaterThan(1);
      expect(events.slice(-2)).toEqual([
        { type: "usage", usage: { inputTokens: 12, outputTokens: 7 } },
        { type: "finish", reason: "stop" },
      ]);
    },
  );

  it("sends the prompt, tools and results as the protocol wants them", async () => {
    const { url, requests } = await start([{ text: "ok" }]);
    await collect(url, {
      ...request,
      messages: [
        { role: "user", text: "read a" },
        {
          role: "assistant",
          text: "",
          reasoning: "I should read.",
          calls: [
            { id: "c1", name: "read_file", input: { path: "a" } },
            { id: "c2", name: "read_file", input: "{broken" },
          ],
        },
        { role: "tool", callId: "c1", name: "read_file", output: "A", isError: false },
        { role: "tool", callId: "c2", name: "read_file", output: "bad arguments", isError: true },
      ],
    });
    expect(requests[0]).toMatchObject({
      model: "any",
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        {
          type: "function",
          function: {
            name: "read_file",
            description: "Reads.",
            parameters: { type: "object", properties: {} },
          },
        },
      ],
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "read a" },
        {
          role: "assistant",
          reasoning_content: "I should read.",
          tool_calls: [
            { id: "c1", function: { name: "read_file", arguments: '{"path":"a"}' } },
            { id: "c2", function: { name: "read_file", arguments: "{}" } },
          ],
        },
        { role: "tool", tool_call_id: "c1", content: "A" },
        { role: "tool", tool_call_id: "c2", content: "bad arguments" },
      ],
    });
  });

  it("gives parallel calls with their arguments, and bad arguments as inputError", async () => {
    const { url } = await start([
      {
        toolCalls: [
          { id: "a", name: "read_file", input: { path: "日本語/ファイル.txt" } },
          { id: "b", name: "grep", arguments: '{"pattern": ' },
          { id: "c", name: "list_dir", arguments: "" },
        ],
      },
    ]);
    const { events, error } = await collect(url);
    expect(error).toBeUndefined();
    expect(events.filter((event) => event.type === "tool_call")).toEqual([
      { type: "tool_call", id: "a", name: "read_file", input: { path: "日本語/ファイル.txt" } },
      {
        type: "tool_call",
        id: "b",
        name: "grep",
        input: '{"pattern": ',
        inputError: expect.stringContaining("JSON") as string,
      },
      { type: "tool_call", id: "c", name: "list_dir", input: {} },
    ]);
    expect(events.at(-1)).toEqual({ type: "finish", reason: "tool_calls" });
  });

  it("says when the answer was cut at the limit", async () => {
    const { url } = await start([{ text: "half a", finishReason: "length" }]);
    expect((await collect(url)).events.at(-1)).toEqual({ type: "finish", reason: "length" });
  });

  it("counts nothing where the server reports no usage", async () => {
    const { url } = await start([{ text: "ok", usage: null }]);
    expect((await collect(url)).events).toContainEqual({
      type: "usage",
      usage: { inputTokens: 0, outputTokens: 0 },
    });
  });

  it("closes the socket on abort and throws the reason", async () => {
    const running = await start([{ text: "one two three", chunkSize: 4, hangAfter: 2 }]);
    const controller = new AbortController();
    const reason = new NacreError("stopped", "stopped by the user");
    const seen: string[] = [];
    const reading = (async () => {
      for await (const event of model(running.url).stream(request, controller.signal)) {
        if (event.type === "text") seen.push(event.text);
        if (seen.length === 2) controller.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    await running.settled();
    expect(seen.join("")).toBe("one two ");
    expect(running.exchanges[0]?.state).toBe("aborted");
  });

  it("closes the socket when the reader leaves early", async () => {
    const running = await start([{ text: "one two", hangAfter: 1 }]);
    for await (const event of model(running.url).stream(request, new AbortController().signal))
      if (event.type === "text") break;
    await running.settled();
    expect(running.exchanges[0]?.state).toBe("aborted");
  });

  it("does not call the server with a signal that was aborted before", async () => {
    const { url, requests } = await start([{ text: "ok" }]);
    const events = model(url).stream(request, AbortSignal.abort(new Error("early")));
    await expect(events[Symbol.asyncIterator]().next()).rejects.toThrow("early");
    expect(requests).toHaveLength(0);
  });

  it.each([
    ["a socket that breaks", { text: "one two three", chunkSize: 4, breakAfter: 2 }, "one two "],
    ["a stream without an end", { text: "one", errorAfter: { chunks: 1, message: "overloaded" } }, "one"],
  ])("keeps what came before %s and throws", async (_name, step, text) => {
    const { url } = await start([{ ...step, toolCalls: [{ name: "x", input: {} }] }]);
    const result = await collect(url);
    expect(result.text).toBe(text);
    expect(result.events.some((event) => event.type === "tool_call")).toBe(false);
    expect(result.error).toBeInstanceOf(NacreError);
  });

  it("never hands on half a tool call", async () => {
    const { url } = await start([
      { toolCalls: [{ name: "write_file", input: { path: "a" } }], breakAfter: 2 },
    ]);
    const { events, error } = await collect(url);
    expect(events).toEqual([]);
    expect(failureOf(error)).toEqual({ failure: "broken" });
  });

  it.each([
    [{ status: 401, message: "bad key" }, "key", /wants an API key and none is set/],
    [{ status: 403, message: "forbidden" }, "key", /API key/],
    [{ status: 402, message: "pay" }, "credit", /no credit/],
    [
      { status: 429, message: "You exceeded your current quota", code: "insufficient_quota" },
      "credit",
      /no credit/,
    ],
    [{ status: 404, message: "model any does not exist" }, "unknown_model", /does not know the model any/],
    [{ status: 400, message: "x", code: "model_not_found" }, "unknown_model", /does not know the model/],
    [{ status: 400, message: "x", code: "context_length_exceeded" }, "context", /no longer fits/],
    [{ status: 400, message: "any does not support tools" }, "no_tools", /cannot call tools/],
    [{ status: 500, message: "tools param requires --jinja flag" }, "no_tools", /cannot call tools/],
    [{ status: 503, message: "busy" }, "server", /failed/],
    [{ status: 400, message: "bad field" }, "rejected", /bad field/],
    [{ status: 502, body: "<html>Bad Gateway</html>" }, "server", /failed/],
  ])("explains status %j", async (error, failure, words) => {
    const { url } = await start([{ error }]);
    const { error: thrown } = await collect(url);
    expect(failureOf(thrown)).toMatchObject({ failure, status: error.status });
    expect(thrown).toMatchObject({ code: "model", message: expect.stringMatching(words) as string });
  });

  it("passes on what the server asks to wait", async () => {
    const { url } = await start([{ error: { status: 429, retryAfter: 7 } }]);
    const { error } = await collect(url);
    expect(failureOf(error)).toEqual({ failure: "rate_limit", status: 429, retryAfterMs: 7000 });
    expect((error as NacreError).message).toContain("in 7 s");
  });

  it("sends the key, and names where a refused one came from", async () => {
    const running = await start([{ text: "ok" }], { apiKey: "right" });
    expect((await collect(running.url, request, { apiKey: "right", keySource: "NACRE_API_KEY" })).text).toBe(
      "ok",
    );
    const { error } = await collect(running.url, request, { apiKey: "wrong", keySource: "NACRE_API_KEY" });
    expect((error as NacreError).message).toContain("NACRE_API_KEY");
    expect((error as NacreError).message).not.toContain("wrong");
  });

  it("takes the key out of what the server says", async () => {
    const { url } = await start([
      { error: { status: 401, message: "Incorrect API key provided: sk-12345" } },
    ]);
    const { error } = await collect(url, request, { apiKey: "sk-12345", keySource: "KEY" });
    expect((error as NacreError).message).toContain("Incorrect API key provided: …");
  });

  it("names the address that cannot be reached", async () => {
    const running = await start([]);
    const { url } = running;
    await running.stop();
    server = undefined;
    const { error } = await collect(url);
    expect(error).toMatchObject({ code: "network", message: expect.stringContaining(url) as string });
    expect(failureOf(error)).toEqual({ failure: "unreachable" });
  });
});
