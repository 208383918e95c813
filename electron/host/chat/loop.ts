import { toErrorValue, type ErrorValue } from "../../../shared/errors.ts";
import type { FinishReason, ModelMessage, ModelTool } from "../../../shared/model.ts";
import type { StopReason, Usage } from "../../../shared/session.ts";
import { untilAborted } from "../kit/abort.ts";
import { createIds, systemClock } from "../kit/clock.ts";
import { newTurn, type Tool, type ToolCallResult } from "../tools/types.ts";
import { abortedAs } from "./abort.ts";
import { runCalls, type RequestedCall } from "./calls.ts";
import { addUsage, noUsage, type TurnEnd, type TurnEvent, type TurnOptions } from "./turn.ts";

const reportRequest =
  "You have used all your steps. Do not call tools any more: report now what you did, what you found and what is left.";
const cutNotice = "The answer reached the model's output limit and was cut.";

/** What one model call gave; also the part that came before an error or a stop. */
interface StepAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly RequestedCall[];
  readonly usage: Usage;
  readonly finish: FinishReason | null;
  readonly error?: ErrorValue;
}
interface StepRequest {
  readonly step: number;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
}

/** One model call. Never throws: an error or abort ends the answer. */
async function* runStep(
  { model, system }: TurnOptions,
  { messages, tools }: StepRequest,
  message: string,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, StepAnswer> {
  let text = "";
  let reasoning = "";
  let usage = noUsage;
  let finish: FinishReason | null = null;
  let error: ErrorValue | undefined;
  const calls: RequestedCall[] = [];
  const events = model.stream({ system, messages, tools }, signal)[Symbol.asyncIterator]();
  try {
    while (finish === null) {
      const next = await untilAborted(events.next(), signal);
      if (next.done) break;
      const event = next.value;
      switch (event.type) {
        case "text":
          text += event.text;
          yield { type: "text", message, text: event.text };
          break;
        case "reasoning":
          reasoning += event.text;
          yield { type: "reasoning", message, text: event.text };
          break;
        case "tool_call": {
          const { id, name, input, inputError } = event;
          calls.push({ id, name, input, ...(inputError === undefined ? {} : { inputError }) });
          break;
        }
        case "usage":
          usage = addUsage(usage, event.usage);
          break;
        case "retry": {
          const seconds = Math.ceil(event.delayMs / 1000);
          yield { type: "notice", level: "warning", text: `${event.reason}. Trying again in ${seconds} s.` };
          break;
        }
        case "notice":
          yield { type: "notice", level: "warning", text: event.text };
          break;
        case "finish":
          finish = event.reason;
      }
    }
  } catch (thrown) {
    if (!signal.aborted) error = toErrorValue(thrown);
  } finally {
    // Not waited for: the signal closes the connection, and a model that hangs must not hold the turn.
    events.return?.().catch((thrown: unknown) => void thrown);
  }
  const broken = signal.aborted || error !== undefined;
  return {
    text,
    reasoning,
    calls: broken ? [] : calls,
    usage,
    finish,
    ...(error === undefined ? {} : { error }),
  };
}

/** Ids tie results to calls in the record: one that was used before gets a new name. */
function renameUsedIds(calls: readonly RequestedCall[], used: Set<string>): RequestedCall[] {
  return calls.map((call) => {
    let id = call.id;
    for (let n = 2; id === "" || used.has(id); n += 1) id = `${call.id || "call"}-${n}`;
    used.add(id);
    return id === call.id ? call : { ...call, id };
  });
}

const asSent = ({ name, description, inputSchema }: Tool): ModelTool => ({ name, description, inputSchema });

/**
 * One turn: model call, tool calls, model call … until the model rests, the steps are used up, something fails, or the
 * signal aborts it. Knows no record and no window: it tells what happens, and goes on when the reader has taken it in.
 * After an abort it ends without waiting for model or tools; keep reading to its end.
 */
export async function* runTurn(
  options: TurnOptions,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, TurnEnd> {
  const { maxSteps, clock = systemClock, ids = createIds(clock), turn = newTurn() } = options;
  const tools = [...options.tools()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const offered = tools.map(asSent);
  const messages: ModelMessage[] = [...options.messages];
  const used = new Set(
    messages.flatMap((message) => (message.role === "assistant" ? message.calls : [])).map(({ id }) => id),
  );
  const known = (): readonly Tool[] => [...tools, ...(options.more?.known() ?? [])];
  let total = noUsage;
  let steps = 0;
  let lastText = "";
  const isOutside = (result: ToolCallResult): boolean => {
    const tool = known().find(({ name }) => name === result.name);
    return options.isOutside?.(result) ?? (tool?.origin.kind === "mcp" || tool?.perm === "net");
  };
  const end = (stopReason: StopReason, error?: ErrorValue): TurnEnd => ({
    stopReason,
    text: lastText,
    steps,
    usage: total,
    ...(error === undefined ? {} : { error }),
  });

  async function* step(mayCall: boolean): AsyncGenerator<TurnEvent, StepAnswer> {
    steps += 1;
    yield { type: "step", step: steps };
    const message = ids.next();
    const startedAt = clock.now();
    const all = [...offered, ...(options.more?.sent() ?? []).map(asSent)];
    const request = { step: steps, messages, tools: mayCall ? all : [] };
    const answer = yield* runStep(options, request, message, signal);
    const calls = mayCall ? renameUsedIds(answer.calls, used) : [];
    total = addUsage(total, answer.usage);
    if (answer.text !== "") lastText = answer.text;
    const { text, reasoning, usage, error } = answer;
    if (text !== "" || reasoning !== "" || calls.length > 0) {
      yield { type: "assistant", message, text, reasoning };
      messages.push({ role: "assistant", text, calls, ...(reasoning === "" ? {} : { reasoning }) });
    }
    const durationMs = clock.now() - startedAt;
    const failed = error === undefined ? {} : { error };
    yield { type: "step_end", step: steps, model: options.model.id, durationMs, usage, total, ...failed };
    if (answer.finish === "length") yield { type: "notice", level: "warning", text: cutNotice };
    return { ...answer, calls };
  }

  while (steps < maxSteps) {
    const answer = yield* step(true);
    if (signal.aborted) return end(abortedAs(signal));
    if (answer.error !== undefined) return end("error", answer.error);
    if (answer.calls.length === 0) return end("end");
    const results: ToolCallResult[] = yield* runCalls(
      answer.calls,
      { ...options, tools: known(), turn },
      signal,
    );
    if (signal.aborted) return end(abortedAs(signal));
    turn.outsideText ||= results.some(isOutside);
    for (const { id, name, output, isError } of results)
      messages.push({ role: "tool", callId: id, name, output, isError });
  }
  if (options.lastReport) {
    messages.push({ role: "user", text: reportRequest });
    yield { type: "reminder", text: reportRequest };
    const answer = yield* step(false);
    if (signal.aborted) return end(abortedAs(signal));
    if (answer.error !== undefined) return end("error", answer.error);
  }
  return end("max_steps");
}
