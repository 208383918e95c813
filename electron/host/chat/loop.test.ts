import { afterEach, describe, expect, it } from "vitest";
import { startModelServer, type ModelServer, type ScriptStep } from "../../../e2e/fixtures/model-server.mjs";
import { openAICompatibleModel } from "../models/openai-compatible.ts";
import { withRetry } from "../models/retry.ts";
import { runTurn } from "./loop.ts";
import { readTurn, testModel, testResult, testTool } from "./turn.testkit.ts";
import type { TurnOptions } from "./turn.ts";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});
async function options(steps: ScriptStep[], rest: Partial<TurnOptions> = {}): Promise<TurnOptions> {
  server = await startModelServer({ steps });
  const model = openAICompatibleModel({
    provider: "test",
    model: "any",
    baseUrl: server.url,
    keySource: null,
    fetch: globalThis.fetch,
  });
  return {
    model: withRetry(model, { baseDelayMs: 1 }),
    system: "Help.",
    messages: [{ role: "user", text: "go" }],
    tools: () => [testTool("write_file", "write"), testTool("read_file"), testTool("grep")],
    execute: async (call) => testResult(call),
    maxSteps: 20,
    ...rest,
  };
}
const signal = (): AbortSignal => new AbortController().signal;
const roles = (index: number) => server?.requests[index]?.messages.map((message) => message.role);

describe("runTurn", () => {
  it("calls tools and goes on until the model rests", async () => {
    const turn = await options([
      {
        reasoning: "I need a.",
        text: "Reading.",
        toolCalls: [{ id: "c1", name: "read_file", input: { path: "a" } }],
      },
      { text: "It says A.", usage: { inputTokens: 30, outputTokens: 4 } },
    ]);
    const { events, end } = await readTurn(runTurn(turn, signal()));
    expect(end).toEqual({
      stopReason: "end",
      text: "It says A.",
      steps: 2,
      usage: { inputTokens: 40, outputTokens: 9 },
    });
    const kinds = events.map((event) => event.type).filter((type) => type !== "text" && type !== "reasoning");
    expect(kinds).toEqual([
      "step",
      "assistant",
      "step_end",
      "tool_call",
      "tool_result",
      "step",
      "assistant",
      "step_end",
    ]);
    expect(roles(1)).toEqual(["system", "user", "assistant", "tool"]);
    expect(server?.requests[1]?.messages[2]).toMatchObject({
      content: "Reading.",
      reasoning_content: "I need a.",
      tool_calls: [{ id: "c1", function: { arguments: '{"path":"a"}' } }],
    });
  });

  it("reads the tool list once and sends it sorted in every step", async () => {
    let read = 0;
    const turn = await options([{ toolCalls: [{ name: "grep" }] }, { text: "done" }]);
    const tools = () => {
      read += 1;
      return turn.tools();
    };
    await readTurn(runTurn({ ...turn, tools }, signal()));
    expect(read).toBe(1);
    const sent = server?.requests.map((body) => body.tools?.map((tool) => tool.function.name));
    expect(sent).toEqual([
      ["grep", "read_file", "write_file"],
      ["grep", "read_file", "write_file"],
    ]);
  });

  it("sends what the model asked for from the next step on, behind what it had", async () => {
    const loaded = [testTool("z"), testTool("a")];
    const got: ReturnType<typeof testTool>[] = [];
    const answers: string[] = [];
    const turn = await options(
      [{ toolCalls: [{ name: "grep" }] }, { toolCalls: [{ name: "a" }] }, { text: "done" }],
      {
        more: { sent: () => got, known: () => loaded },
        execute: async (call) => {
          answers.push(call.name);
          got.push(...loaded.splice(0, 1));
          return testResult(call);
        },
      },
    );
    const { events } = await readTurn(runTurn(turn, signal()));
    const sent = server?.requests.map((body) => body.tools?.map((tool) => tool.function.name).join(" "));
    expect(sent).toEqual([
      "grep read_file write_file",
      "grep read_file write_file z",
      "grep read_file write_file z a",
    ]);
    expect(answers).toEqual(["grep", "a"]);
    expect(events.find((event) => event.type === "tool_call" && event.call.name === "a")).toMatchObject({
      origin: "builtin",
    });
  });

  it("tells calls that come after text from outside", async () => {
    const told: [string, boolean | undefined][] = [];
    const turn = await options(
      [
        { toolCalls: [{ name: "read_file" }, { name: "fetch_url" }, { name: "write_file" }] },
        { toolCalls: [{ name: "write_file" }] },
        { text: "done" },
      ],
      {
        tools: () => [testTool("read_file"), testTool("fetch_url", "net"), testTool("write_file", "write")],
        execute: async (call, { turn }) => {
          told.push([call.name, turn?.outsideText]);
          return testResult(call);
        },
      },
    );
    await readTurn(runTurn(turn, signal()));
    expect(told).toEqual([
      ["read_file", false],
      ["fetch_url", false],
      ["write_file", false],
      ["write_file", true],
    ]);
  });

  it("answers broken arguments and lets the model try again", async () => {
    const ran: unknown[] = [];
    const turn = await options(
      [
        { toolCalls: [{ id: "c1", name: "read_file", arguments: '{"path": ' }] },
        { toolCalls: [{ id: "c2", name: "read_file", input: { path: "a" } }] },
        { text: "done" },
      ],
      {
        execute: async (call) => {
          ran.push(call.input);
          return testResult(call);
        },
      },
    );
    const { end } = await readTurn(runTurn(turn, signal()));
    expect(end.stopReason).toBe("end");
    expect(ran).toEqual([{ path: "a" }]);
    expect(server?.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", tool_call_id: "c1" });
  });

  it("renames call ids that a server gives twice", async () => {
    const turn = await options([
      { toolCalls: [{ id: "same", name: "grep" }] },
      { toolCalls: [{ id: "same", name: "grep" }] },
      { text: "done" },
    ]);
    const { events } = await readTurn(runTurn(turn, signal()));
    const ids = events.flatMap((event) => (event.type === "tool_call" ? [event.call.id] : []));
    expect(ids).toEqual(["same", "same-2"]);
    expect(server?.requests[2]?.messages.at(-1)).toMatchObject({ tool_call_id: "same-2" });
  });

  it("ends at max_steps after the calls of the last step", async () => {
    const turn = await options([{ text: "Looking.", toolCalls: [{ name: "grep" }], repeat: true }], {
      maxSteps: 2,
    });
    const { end, events } = await readTurn(runTurn(turn, signal()));
    expect(end).toMatchObject({ stopReason: "max_steps", steps: 2, text: "Looking." });
    expect(events.filter((event) => event.type === "tool_result")).toHaveLength(2);
    expect(server?.requests).toHaveLength(2);
  });

  it("asks once for the report without tools where lastReport is set", async () => {
    const turn = await options(
      [
        { when: { tool: "grep" }, toolCalls: [{ name: "grep" }], repeat: true },
        { when: { tool: "!grep" }, text: "I found two." },
      ],
      { maxSteps: 2, lastReport: true },
    );
    const { end } = await readTurn(runTurn(turn, signal()));
    expect(end).toMatchObject({ stopReason: "max_steps", text: "I found two.", steps: 3 });
    expect(server?.requests.map((body) => body.tools?.length ?? 0)).toEqual([3, 3, 0]);
    expect(server?.requests[2]?.messages.at(-1)).toMatchObject({ role: "user" });
  });

  it("ends with error, keeps the text that came and runs no call of a broken answer", async () => {
    const ran: string[] = [];
    const turn = await options(
      [{ text: "Let me see", chunkSize: 4, breakAfter: 2, toolCalls: [{ name: "grep" }] }],
      {
        execute: async (call) => {
          ran.push(call.name);
          return testResult(call);
        },
      },
    );
    const { end, events } = await readTurn(runTurn(turn, signal()));
    expect(end).toMatchObject({ stopReason: "error", text: "Let me s", error: { code: "network" } });
    expect(events).toContainEqual(expect.objectContaining({ type: "assistant", text: "Let me s" }));
    expect(ran).toEqual([]);
  });

  it("says that it tries again, and does", async () => {
    const turn = await options([
      { error: { status: 429, retryAfter: 0.01, message: "slow down" } },
      { text: "ok" },
    ]);
    const { end, events } = await readTurn(runTurn(turn, signal()));
    expect(end).toMatchObject({ stopReason: "end", text: "ok", steps: 1 });
    expect(events.find((event) => event.type === "notice")).toMatchObject({
      level: "warning",
      text: expect.stringContaining("slow down") as string,
    });
  });

  it("says when an answer was cut at the model's limit", async () => {
    const turn = await options([{ text: "half", finishReason: "length" }]);
    const { events } = await readTurn(runTurn(turn, signal()));
    expect(events.at(-1)).toMatchObject({ type: "notice", text: expect.stringContaining("limit") as string });
  });

  it("stops in the middle of an answer, keeps its text and closes the connection", async () => {
    const turn = await options([{ text: "one two three", chunkSize: 4, hangAfter: 2 }]);
    const controller = new AbortController();
    const { end, events } = await readTurn(runTurn(turn, controller.signal), (event) => {
      if (event.type === "text" && event.text === "two ") controller.abort();
    });
    expect(end).toMatchObject({ stopReason: "stopped", text: "one two " });
    expect(events).toContainEqual(expect.objectContaining({ type: "assistant", text: "one two " }));
    await server?.settled();
    expect(server?.exchanges[0]?.state).toBe("aborted");
  });

  it("stops though model and tool hear nothing of it", async () => {
    const deaf = testModel([
      [
        { type: "tool_call", id: "1", name: "grep", input: {} },
        { type: "finish", reason: "tool_calls" },
      ],
    ]);
    const turn = await options([], { model: deaf, execute: () => new Promise(() => {}) });
    const controller = new AbortController();
    const { end } = await readTurn(runTurn(turn, controller.signal), (event) => {
      if (event.type === "tool_call") setImmediate(() => controller.abort());
    });
    expect(end.stopReason).toBe("stopped");
    const silent = {
      id: "test/silent",
      stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }),
    };
    const second = new AbortController();
    const { end: other } = await readTurn(runTurn({ ...turn, model: silent }, second.signal), () =>
      setImmediate(() => second.abort(new DOMException("too long", "TimeoutError"))),
    );
    expect(other.stopReason).toBe("timeout");
  });
});
