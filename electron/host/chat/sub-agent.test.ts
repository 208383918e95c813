import { describe, expect, it } from "vitest";
import { NacreError } from "../../../shared/errors.ts";
import { lineTypesOf, open, host, ids, serve, server, setup, store } from "./session-test-kit.ts";
import { runSubAgent, type SubAgentOptions } from "./sub-agent.ts";
import { testResult, testTool } from "./test-kit.ts";
import type { TurnOptions } from "./turn.ts";

const options = (rest: Partial<SubAgentOptions["turn"]> = {}) => {
  const { model, system } = setup();
  if (model === null) throw new Error("a model");
  const execute: TurnOptions["execute"] = async (call) => testResult(call);
  const record = store().create();
  record.append({ type: "session", workspace: "/", version: "test" });
  const said: string[] = [];
  const made: SubAgentOptions = {
    turn: { model, system, execute, tools: () => [testTool("grep")], maxSteps: 3, ids, ...rest },
    prompt: "find it",
    writer: record.sub(1),
    onOutput: (text) => void said.push(text),
  };
  return { made, said, path: record.sub(1).path };
};
const signal = (): AbortSignal => new AbortController().signal;

describe("runSubAgent", () => {
  it("works to its report, with a transcript of its own", async () => {
    await serve([
      { text: "Looking.", toolCalls: [{ name: "grep", input: { pattern: "x" } }] },
      { text: "Found it." },
    ]);
    const { made, said, path } = options();
    expect(await runSubAgent(made, signal())).toEqual({
      report: "Found it.",
      isError: false,
      steps: 2,
      usage: { inputTokens: 20, outputTokens: 10 },
    });
    expect(said).toEqual(['grep {"pattern":"x"}\n']);
    expect(lineTypesOf(path)).toEqual([
      "user",
      "assistant",
      "tool_call",
      "tool_result",
      "assistant",
      "turn_end",
    ]);
    expect(server.requests[0]?.messages.map((message) => message.content)).toEqual(["Help.", "find it"]);
  });

  it("is asked once for its report when its steps are used up", async () => {
    await serve([
      { when: { tool: "grep" }, toolCalls: [{ name: "grep" }], repeat: true },
      { when: { tool: "!grep" }, text: "So far: nothing." },
    ]);
    const { made, path } = options();
    const { report, steps } = await runSubAgent(made, signal());
    expect(report).toBe("So far: nothing.\n\n(It used all its steps.)");
    expect(steps).toBe(4);
    expect(lineTypesOf(path).slice(-3)).toEqual(["system", "assistant", "turn_end"]);
  });

  it("reports an error of the model, and what failed on the way", async () => {
    await serve([{ toolCalls: [{ name: "grep" }] }, { error: { status: 401, message: "no" } }]);
    const { made, said } = options({
      execute: async (call) => testResult(call, { isError: true, output: "no such file\nmore" }),
    });
    const { report, isError } = await runSubAgent(made, signal());
    expect(isError).toBe(true);
    expect(report).toContain("the sub-agent failed: test wants an API key");
    expect(said).toEqual(["grep {}\n", "grep failed: no such file\n"]);
  });

  it("throws the reason when it is stopped, with its end in the transcript", async () => {
    await serve([{ text: "half", hangAfter: 1 }]);
    const controller = new AbortController();
    const reason = new NacreError("stopped", "stopped by the user");
    const { made, path } = options();
    const running = runSubAgent(
      { ...made, onEvent: (event) => void (event.type === "text" && controller.abort(reason)) },
      controller.signal,
    );
    await expect(running).rejects.toBe(reason);
    expect(lineTypesOf(path)).toEqual(["user", "assistant", "turn_end"]);
  });

  it("ends with its parent: one stop ends the whole tree", async () => {
    await serve([
      { when: { lastUser: "go" }, toolCalls: [{ name: "read_file" }] },
      { when: { lastUser: "find it" }, text: "half", hangAfter: 1 },
    ]);
    const { made } = options();
    const session = open(
      host({
        execute: async (call, _hooks, stop) => {
          const { report } = await runSubAgent(made, stop);
          return testResult(call, { output: report });
        },
      }),
    );
    const sent = await session.send("go");
    await server.arrived(2);
    await session.stop();
    expect((await sent.turn).stopReason).toBe("stopped");
    await server.settled();
    expect(server.exchanges.map(({ state }) => state)).toEqual(["done", "aborted"]);
  });
});
