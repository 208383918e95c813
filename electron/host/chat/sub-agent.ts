import type { Usage } from "../../../shared/session.ts";
import { runTurn } from "./loop.ts";
import { TurnRecorder, type LineWriter } from "./turn-recorder.ts";
import type { TurnEnd, TurnEvent, TurnOptions } from "./turn.ts";

export interface SubAgentOptions {
  /** The turn but for its messages: the prompt is all that a sub-agent knows. */
  readonly turn: Omit<TurnOptions, "messages" | "lastReport">;
  readonly prompt: string;
  /** `sub-N.jsonl` */
  readonly writer: LineWriter;
  /** What it does, a line each, while it runs. */
  onOutput(text: string): void;
  /** Everything that happens, after it is recorded. */
  onEvent?(event: TurnEvent): void;
}
export interface SubAgentReport {
  readonly report: string;
  readonly isError: boolean;
  readonly steps: number;
  readonly usage: Usage;
}
const shownInput = 120;

/** What a parent's card shows of one event; undefined for nothing. */
function progressLine(event: TurnEvent): string | undefined {
  switch (event.type) {
    case "tool_call": {
      const input = JSON.stringify(event.call.input) ?? "";
      return `${event.title} ${input.length > shownInput ? `${input.slice(0, shownInput)}…` : input}\n`;
    }
    case "tool_result":
      return event.result.isError
        ? `${event.result.title} failed: ${event.result.output.split("\n")[0]}\n`
        : undefined;
    case "notice":
      return `${event.text}\n`;
    default:
      return undefined;
  }
}

function reportOf({ stopReason, text, error, steps, usage }: TurnEnd): SubAgentReport {
  if (error !== undefined) {
    const came = text === "" ? "" : `\n\nUntil then it wrote:\n${text}`;
    return { report: `the sub-agent failed: ${error.message}${came}`, isError: true, steps, usage };
  }
  if (text === "") return { report: "the sub-agent ended without a report", isError: true, steps, usage };
  const cut = stopReason === "max_steps" ? "\n\n(It used all its steps.)" : "";
  return { report: text + cut, isError: false, steps, usage };
}

/**
 * Runs a sub-agent to its report (spec 7): the same loop as the main conversation, with a transcript of its own. At its
 * limit of steps it is asked once for its report without tools.
 * @throws the signal's reason when aborted, after the end stands in the transcript; NacreError `io`
 */
export async function runSubAgent(options: SubAgentOptions, signal: AbortSignal): Promise<SubAgentReport> {
  const { turn, prompt, writer } = options;
  const recorder = new TurnRecorder(writer, turn.clock);
  writer.append({ type: "user", text: prompt });
  const running = runTurn({ ...turn, messages: [{ role: "user", text: prompt }], lastReport: true }, signal);
  for (;;) {
    const next = await running.next();
    if (next.done) {
      recorder.end(next.value);
      signal.throwIfAborted();
      return reportOf(next.value);
    }
    recorder.write(next.value);
    options.onEvent?.(next.value);
    const line = progressLine(next.value);
    if (line !== undefined) options.onOutput(line);
  }
}
