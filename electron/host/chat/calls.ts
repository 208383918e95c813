import { toErrorValue } from "../../../shared/errors.ts";
import type { McpAppRef } from "../../../shared/mcp-app.ts";
import { systemClock, type Clock } from "../kit/clock.ts";
import { isReadOnly, originText } from "../tools/registry.ts";
import { newTurn, type Tool, type ToolCall, type ToolCallResult, type TurnState } from "../tools/types.ts";
import { Channel } from "./channel.ts";
import type { CallRunner, TurnEvent } from "./turn.ts";

/** One call of a step, as the model made it. */
export interface RequestedCall extends ToolCall {
  /** Why its arguments cannot be used: it is answered with this and never run. */
  readonly inputError?: string;
}
export interface CallsOptions extends CallRunner {
  readonly tools: readonly Tool[];
  readonly turn?: TurnState;
  readonly clock?: Clock;
}
/** Read-only calls of one step that run at once (spec 8). */
const parallelCap = 8;
/** What is kept of a call's live output for the case that it is stopped, characters. */
const keptOutput = 64 * 1024;

type Announced = RequestedCall & {
  readonly title: string;
  readonly origin: string;
  readonly app: McpAppRef | undefined;
};

/** Runs of calls that may go on together: neighbours that only read; any other call stands alone. */
export function groupCalls<T>(calls: readonly T[], readOnly: (call: T) => boolean): T[][] {
  const groups: { readonly parallel: boolean; readonly calls: T[] }[] = [];
  for (const call of calls) {
    const parallel = readOnly(call);
    const last = groups.at(-1);
    if (parallel && last?.parallel) last.calls.push(call);
    else groups.push({ parallel, calls: [call] });
  }
  return groups.map((group) => group.calls);
}

/** One running call: what the record says of it if it has to be left. */
class OpenCall {
  readonly call: Announced;
  readonly #startedAt: number;
  readonly #clock: Clock;
  #output = "";
  state: "queued" | "waiting" | "running" = "queued";

  constructor(call: Announced, clock: Clock) {
    this.call = call;
    this.#clock = clock;
    this.#startedAt = clock.now();
  }
  keep(text: string): void {
    if (this.#output.length < keptOutput) this.#output += text.slice(0, keptOutput - this.#output.length);
  }
  /** The result of a call that ends without one of its own. */
  failed(output: string, by: string): ToolCallResult {
    const { id, name, title, origin, input } = this.call;
    const kept = this.#output === "" ? "" : `${this.#output.replace(/\n$/, "")}\n\n`;
    return {
      id,
      name,
      title,
      origin,
      input,
      output: kept + output,
      isError: true,
      durationMs: this.#clock.now() - this.#startedAt,
      decision: this.state === "waiting" ? "asked_deny" : this.state === "queued" ? "deny" : "allow",
      sandboxed: null,
      by,
    };
  }
}

/**
 * Runs the calls of one step in their order, neighbours that only read beside each other. An abort ends it at once: calls
 * that still run get a result that says so, while what they started is ended behind, and so do those that never began.
 * @returns the results in the order of the calls
 */
export async function* runCalls(
  calls: readonly RequestedCall[],
  options: CallsOptions,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, ToolCallResult[]> {
  const { tools, turn = newTurn(), clock = systemClock } = options;
  const byName = new Map([
    ...tools.map((tool) => [tool.title, tool] as const),
    ...tools.map((tool) => [tool.name, tool] as const),
  ]);
  const toolOf = (call: ToolCall): Tool | undefined => byName.get(call.name);
  const readOnly = (call: RequestedCall): boolean => {
    const tool = toolOf(call);
    // A tool with a rule of its own needs prepared arguments, which only the executor has.
    return (
      options.isReadOnly?.(call) ?? (tool !== undefined && tool.parallel === undefined && isReadOnly(tool))
    );
  };
  const announce = (call: RequestedCall): Announced => {
    const tool = toolOf(call);
    return {
      ...call,
      title: tool?.title ?? call.name,
      origin: tool === undefined ? "" : originText(tool),
      app: tool?.app,
    };
  };

  async function execute(open: OpenCall, channel: Channel<TurnEvent>): Promise<ToolCallResult> {
    const { id, name, input, inputError } = open.call;
    if (inputError !== undefined) return open.failed(inputError, "arguments");
    open.state = "running";
    const hooks = {
      turn,
      onOutput: (text: string) => {
        open.keep(text);
        channel.push({ type: "tool_output", callId: id, text });
      },
      onState: (state: "waiting" | "running") => {
        // A call that was announced runs until something else is told.
        if (open.state === state) return;
        open.state = state;
        channel.push({ type: "tool_state", callId: id, state });
      },
    };
    try {
      return { ...(await options.execute({ id, name, input }, hooks, signal)), id };
    } catch (error) {
      return open.failed(toErrorValue(error).message, "error");
    }
  }

  const results: ToolCallResult[] = [];
  for (const group of groupCalls(calls, readOnly)) {
    const open: OpenCall[] = [];
    for (const call of group) {
      const announced = announce(call);
      const { id, name, input, title, origin, app } = announced;
      yield {
        type: "tool_call",
        call: { id, name, input },
        title,
        origin,
        ...(app === undefined ? {} : { app }),
      };
      open.push(new OpenCall(announced, clock));
    }
    results.push(...(yield* signal.aborted ? neverRun(open) : runGroup(open, execute, signal)));
  }
  return results;
}

/** Calls whose turn had not come when the stop did: they are told and recorded as the others are. */
function* neverRun(open: readonly OpenCall[]): Generator<TurnEvent, ToolCallResult[]> {
  const results = open.map((call) => call.failed("stopped by the user before it began", "stop"));
  for (const result of results) yield { type: "tool_result", result };
  return results;
}

async function* runGroup(
  open: readonly OpenCall[],
  execute: (call: OpenCall, channel: Channel<TurnEvent>) => Promise<ToolCallResult>,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, ToolCallResult[]> {
  const channel = new Channel<TurnEvent>();
  const results = new Map<OpenCall, ToolCallResult>();
  const queue = [...open];
  const work = async (): Promise<void> => {
    for (let call = queue.shift(); call !== undefined && !signal.aborted; call = queue.shift()) {
      const result = await execute(call, channel);
      // Once aborted the reader has answered for the calls it left.
      if (signal.aborted) return;
      results.set(call, result);
      channel.push({ type: "tool_result", result });
    }
  };
  // `execute` never rejects, so neither does a worker.
  for (let worker = 0; worker < Math.min(parallelCap, open.length); worker += 1) void work();

  let told = 0;
  try {
    while (told < open.length) {
      const event = await channel.next(signal);
      if (event.type === "tool_result") told += 1;
      yield event;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    yield* channel.drain();
    for (const call of open) {
      if (results.has(call)) continue;
      const result = call.failed("stopped by the user", "stop");
      results.set(call, result);
      yield { type: "tool_result", result };
    }
  }
  return open.flatMap((call) => results.get(call) ?? []);
}
