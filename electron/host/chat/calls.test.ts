import { describe, expect, it } from "vitest";
import type { ToolCallResult } from "../tools/types.ts";
import { groupCalls, runCalls, type CallsOptions, type RequestedCall } from "./calls.ts";
import { gate, testResult, testTool } from "./turn.testkit.ts";
import type { TurnEvent } from "./turn.ts";

const tools = [testTool("read"), testTool("look"), testTool("write", "write"), testTool("shell", "shell")];
const call = (id: string, name: string, rest: Partial<RequestedCall> = {}): RequestedCall => ({
  id,
  name,
  input: {},
  ...rest,
});

async function run(
  calls: RequestedCall[],
  execute: CallsOptions["execute"],
  {
    onEvent,
    signal = new AbortController().signal,
  }: { onEvent?: (event: TurnEvent) => void; signal?: AbortSignal } = {},
): Promise<{ events: TurnEvent[]; results: ToolCallResult[] }> {
  const events: TurnEvent[] = [];
  const running = runCalls(calls, { tools, execute }, signal);
  for (;;) {
    const next = await running.next();
    if (next.done) return { events, results: next.value };
    events.push(next.value);
    onEvent?.(next.value);
  }
}

it("groups neighbours that only read", () => {
  const names = ["r1", "r2", "w1", "w2", "r3"];
  expect(groupCalls(names, (name) => name.startsWith("r"))).toEqual([["r1", "r2"], ["w1"], ["w2"], ["r3"]]);
});

describe("runCalls", () => {
  it("runs reads beside each other and gives results in the order of the calls", async () => {
    const second = gate();
    const running = new Set<string>();
    let most = 0;
    const { results, events } = await run([call("1", "read"), call("2", "look")], async (made) => {
      running.add(made.id);
      most = Math.max(most, running.size);
      // The first ends only after the second began: they must overlap.
      if (made.id === "1") await second.opened;
      else second.open();
      running.delete(made.id);
      return testResult(made);
    });
    expect(most).toBe(2);
    expect(results.map(({ id }) => id)).toEqual(["1", "2"]);
    expect(events.filter((event) => event.type === "tool_call")).toHaveLength(2);
    expect(events.filter((event) => event.type === "tool_result").map((event) => event.result.id)).toEqual([
      "2",
      "1",
    ]);
  });

  it("runs at most eight at once", async () => {
    const eight = gate();
    let running = 0;
    let most = 0;
    const calls = Array.from({ length: 20 }, (_, n) => call(`${n}`, "read"));
    const { results } = await run(calls, async (made) => {
      running += 1;
      most = Math.max(most, running);
      if (running === 8) eight.open();
      await eight.opened;
      running -= 1;
      return testResult(made);
    });
    expect(most).toBe(8);
    expect(results).toHaveLength(20);
  });

  it("runs writes one after another, and no read across a write", async () => {
    const log: string[] = [];
    const calls = [call("1", "read"), call("2", "write"), call("3", "shell"), call("4", "read")];
    await run(calls, async (made) => {
      log.push(`+${made.id}`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`-${made.id}`);
      return testResult(made);
    });
    expect(log).toEqual(["+1", "-1", "+2", "-2", "+3", "-3", "+4", "-4"]);
  });

  it("tells of a call before it runs, then state and output, then its result", async () => {
    const told: string[] = [];
    await run(
      [call("1", "shell", { input: { command: "ls" } })],
      async (made, hooks) => {
        told.push("runs");
        hooks.onState?.("waiting");
        hooks.onOutput?.("a");
        return testResult(made);
      },
      { onEvent: (event) => told.push(event.type) },
    );
    expect(told).toEqual(["tool_call", "runs", "tool_state", "tool_output", "tool_result"]);
  });

  it("tells a state once, however often it is said: an announced call runs until it waits", async () => {
    const { events } = await run([call("1", "write")], async (made, hooks) => {
      for (const state of ["running", "waiting", "waiting", "running", "running"] as const)
        hooks.onState?.(state);
      return Promise.resolve(testResult(made));
    });
    const states = events.flatMap((event) => (event.type === "tool_state" ? [event.state] : []));
    expect(states).toEqual(["waiting", "running"]);
  });

  it("answers a call with unusable arguments and does not run it", async () => {
    const ran: string[] = [];
    const broken = call("1", "read", { input: "{", inputError: "not valid JSON" });
    const { results } = await run([broken, call("2", "read")], async (made) => {
      ran.push(made.id);
      return testResult(made);
    });
    expect(ran).toEqual(["2"]);
    expect(results[0]).toMatchObject({ id: "1", isError: true, output: "not valid JSON", input: "{" });
  });

  it("turns what a tool throws into an error result", async () => {
    const { results } = await run([call("1", "read"), call("2", "read")], async (made) => {
      if (made.id === "1") throw new Error("the disk is on fire");
      return testResult(made);
    });
    expect(results).toMatchObject([{ isError: true, output: "the disk is on fire" }, { isError: false }]);
  });

  it("ends at once when stopped, keeps what came, starts nothing more and answers for what never began", async () => {
    const controller = new AbortController();
    const ran: string[] = [];
    const { results, events } = await run(
      [call("1", "read"), call("2", "read"), call("3", "write")],
      async (made, hooks) => {
        ran.push(made.id);
        if (made.id === "1") return testResult(made);
        hooks.onOutput?.("half of it");
        // Neither hears the signal nor ever ends.
        return new Promise(() => {});
      },
      {
        onEvent: (event) => void (event.type === "tool_output" && controller.abort()),
        signal: controller.signal,
      },
    );
    expect(ran).toEqual(["1", "2"]);
    expect(results).toMatchObject([
      { id: "1", isError: false },
      { id: "2", isError: true, output: "half of it\n\nstopped by the user" },
      { id: "3", isError: true, output: "stopped by the user before it began" },
    ]);
    expect(events.filter((event) => event.type === "tool_result")).toHaveLength(3);
  });
});
