import { describe, expect, it } from "vitest";
import type { LineBody } from "../record/lines.ts";
import { lineTypesOf, open, host, ids, serve, server, setup, store } from "./session.testkit.ts";
import { runRecordedTurn, TurnRecorder } from "./turn-recorder.ts";
import { readTurn, testResult, testTool } from "./turn.testkit.ts";

it("writes what streams at most once a second, each part once", () => {
  const written: LineBody[] = [];
  let now = 0;
  const recorder = new TurnRecorder(
    {
      append(body) {
        written.push(body);
        return { v: 1, id: `${written.length}`, parent: null, t: now, ...body };
      },
    },
    { now: () => now },
  );
  for (let n = 0; n < 25; n += 1) {
    recorder.write({ type: n % 5 === 0 ? "reasoning" : "text", message: "m", text: `${n} ` });
    now += 100;
  }
  const parts = written.flatMap((body) => (body.type === "assistant_part" ? [body] : []));
  expect(parts.map(({ text, reasoning }) => `${reasoning}| ${text}`)).toEqual([
    "0 5 10 | 1 2 3 4 6 7 8 9 ",
    "15 20 | 11 12 13 14 16 17 18 19 ",
  ]);
  recorder.write({ type: "assistant", message: "m", text: "whole", reasoning: "why" });
  recorder.write({ type: "text", message: "n", text: "next" });
  expect(written.at(-1)).toEqual({ type: "assistant", message: "m", text: "whole", reasoning: "why" });
});

describe("runRecordedTurn", () => {
  const recorded = () => {
    const { model, system } = setup();
    if (model === null) throw new Error("a model");
    const record = store().create();
    record.append({ type: "session", workspace: "/", version: "test" });
    const run = (signal: AbortSignal) =>
      runRecordedTurn(
        {
          model,
          system,
          messages: [{ role: "user", text: "find it" }],
          tools: () => [testTool("grep")],
          execute: async (call) => testResult(call),
          maxSteps: 2,
          lastReport: true,
          ids,
        },
        { writer: record.sub(1), prompt: "find it" },
        signal,
      );
    return { run, path: record.sub(1).path };
  };

  it("works to its report at the limit, with a transcript of its own", async () => {
    await serve([
      { when: { tool: "grep" }, text: "Looking.", toolCalls: [{ name: "grep" }], repeat: true },
      { when: { tool: "!grep" }, text: "So far: nothing." },
    ]);
    const { run, path } = recorded();
    const { end } = await readTurn(run(new AbortController().signal));
    expect(end).toMatchObject({ stopReason: "max_steps", text: "So far: nothing.", steps: 3 });
    const step = ["assistant", "tool_call", "tool_result"];
    expect(lineTypesOf(path)).toEqual(["user", ...step, ...step, "system", "assistant", "turn_end"]);
  });

  it("ends with its parent: one stop ends the whole tree", async () => {
    await serve([
      { when: { lastUser: "go" }, toolCalls: [{ name: "read_file" }] },
      { when: { lastUser: "find it" }, text: "half", hangAfter: 1 },
    ]);
    const { run, path } = recorded();
    const session = open(
      host({
        execute: async (call, _hooks, stop) => {
          const { end } = await readTurn(run(stop));
          return testResult(call, { output: end.text });
        },
      }),
    );
    const sent = await session.send("go");
    await server.arrived(2);
    await session.stop();
    expect((await sent.turn).stopReason).toBe("stopped");
    await server.settled();
    expect(server.exchanges.map(({ state }) => state)).toEqual(["done", "aborted"]);
    expect(lineTypesOf(path).at(-1)).toBe("turn_end");
  });
});
