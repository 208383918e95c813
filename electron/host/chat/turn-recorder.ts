import { systemClock, type Clock } from "../kit/clock.ts";
import type { LineBody, RecordLine } from "../record/lines.ts";
import { resultForApp } from "./app-result.ts";
import { runTurn } from "./loop.ts";
import { reminderText } from "./messages.ts";
import type { TurnEnd, TurnEvent, TurnOptions } from "./turn.ts";

/** Where lines go: `SessionRecord` and the record of a sub-agent alike. */
export interface LineWriter {
  append(body: LineBody): RecordLine;
}
/** While an answer streams, what came is written at most this often, ms (architecture, Records). */
const partEvery = 1_000;

/** Writes a turn into a transcript. Each event is written before it is told to anybody. */
export class TurnRecorder {
  readonly #writer: LineWriter;
  readonly #clock: Clock;
  /** Calls that an app shows, which have no result yet. */
  readonly #shownByApp = new Set<string>();
  #part: { message: string; text: string; reasoning: string; since: number } | undefined;

  constructor(writer: LineWriter, clock: Clock = systemClock) {
    this.#writer = writer;
    this.#clock = clock;
  }
  /** The line that the event leaves; undefined where it leaves none. @throws NacreError `io` */
  write(event: TurnEvent): RecordLine | undefined {
    switch (event.type) {
      case "text":
      case "reasoning":
        this.#stream(event);
        return undefined;
      case "assistant": {
        this.#part = undefined;
        const { type, message, text, reasoning } = event;
        return this.#writer.append({ type, message, text, reasoning });
      }
      case "tool_call": {
        const { id: callId, name, input } = event.call;
        if (event.app !== undefined) this.#shownByApp.add(callId);
        return this.#writer.append({
          type: "tool_call",
          callId,
          name,
          title: event.title,
          origin: event.origin,
          input,
          ...(event.app === undefined ? {} : { app: event.app }),
        });
      }
      case "tool_result": {
        const { id: callId, output, isError, durationMs, decision, sandboxed } = event.result;
        const { exitCode, diff } = event.result;
        const forApp = this.#shownByApp.delete(callId) ? resultForApp(event.result) : undefined;
        return this.#writer.append({
          type: "tool_result",
          callId,
          output: { text: output },
          isError,
          durationMs,
          decision,
          sandboxed,
          ...(exitCode === undefined ? {} : { exitCode }),
          ...(diff === undefined ? {} : { diff }),
          ...(forApp === undefined ? {} : { forApp: { text: forApp } }),
        });
      }
      case "notice":
        return this.#writer.append({
          type: "system",
          audience: "user",
          level: event.level,
          text: event.text,
        });
      case "unused_skills":
        return this.#writer.append({ type: event.type, names: event.names });
      case "reminder":
      case "prompt": {
        const text = event.type === "reminder" ? reminderText(event.text) : event.text;
        return this.#writer.append({ type: "system", audience: "model", level: "info", text });
      }
      case "step":
      case "step_end":
      case "tool_state":
      case "tool_output":
        return undefined;
    }
  }
  /** The last line of the turn. */
  end({ stopReason, usage, steps, error }: TurnEnd): RecordLine {
    this.#part = undefined;
    return this.#writer.append({
      type: "turn_end",
      stopReason,
      usage,
      steps,
      ...(error === undefined ? {} : { error: error.message }),
    });
  }
  #stream({ type, message, text }: Extract<TurnEvent, { type: "text" | "reasoning" }>): void {
    const now = this.#clock.now();
    if (this.#part?.message !== message) this.#part = { message, text: "", reasoning: "", since: now };
    this.#part[type] += text;
    if (now - this.#part.since < partEvery) return;
    const part = this.#part;
    this.#part = { message, text: "", reasoning: "", since: now };
    this.#writer.append({ type: "assistant_part", message, text: part.text, reasoning: part.reasoning });
  }
}

/**
 * A turn with a transcript of its own, for a sub-agent: the prompt, everything that happens, the end. `messages` of the
 * options hold the prompt, after the reminder if there is one.
 * @throws NacreError `io`
 */
export async function* runRecordedTurn(
  options: TurnOptions,
  transcript: {
    readonly writer: LineWriter;
    readonly prompt: string;
    readonly reminder?: string | null;
  },
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, TurnEnd> {
  const recorder = new TurnRecorder(transcript.writer, options.clock);
  transcript.writer.append({ type: "user", text: transcript.prompt });
  if (transcript.reminder) recorder.write({ type: "reminder", text: transcript.reminder });
  const turn = runTurn(options, signal);
  for (;;) {
    const next = await turn.next();
    if (next.done) {
      recorder.end(next.value);
      return next.value;
    }
    recorder.write(next.value);
    yield next.value;
  }
}
