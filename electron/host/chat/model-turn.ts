import { toErrorValue } from "../../../shared/errors.ts";
import { untilAborted } from "../kit/abort.ts";
import type { TurnChanges } from "../tools/commands.ts";
import { newTurn } from "../tools/types.ts";
import { abortedAs } from "./abort.ts";
import { runTurn } from "./loop.ts";
import { messagesOf, reminderDue } from "./messages.ts";
import type { AnswerOptions } from "./session-host.ts";
import { syncedCalls } from "./synced-calls.ts";
import { noUsage, type TurnEnd, type TurnEvent } from "./turn.ts";

/** What a turn answers. */
export interface Question {
  readonly text: string;
  /** More than what was typed: a slash command's prompt, what the message mentions. */
  readonly expanded: boolean;
  readonly changes: TurnChanges;
}
/** A turn that a model answers, or the guide where there is none. The question stands in the record already. */
export async function* modelTurn(
  { text, expanded, changes }: Question,
  { host, session, record, clock, ids }: AnswerOptions,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, TurnEnd> {
  const end = (rest: Partial<TurnEnd>): TurnEnd => ({
    stopReason: "end",
    text: "",
    steps: 0,
    usage: noUsage,
    ...rest,
  });
  try {
    const setup = await untilAborted(host.setup(session, changes, signal), signal);
    if (setup.model === null) {
      const answer = await untilAborted(host.guide(text, expanded, signal), signal);
      const message = ids.next();
      yield { type: "text", message, text: answer };
      yield { type: "assistant", message, text: answer, reasoning: "" };
      return end({ text: answer });
    }
    const reminder = reminderDue(record.lines(), setup.reminder);
    if (reminder !== undefined) yield { type: "reminder", text: reminder };
    const messages = messagesOf(record.lines(), (sha256) => record.readBlob(sha256));
    const { model, system, maxSteps } = setup;
    const calls = syncedCalls(setup, () => record.sync());
    const tools = () => setup.tools();
    const turn = newTurn(changes.outside);
    const more = setup.more ? { more: setup.more } : {};
    const given = { model, system, maxSteps, messages, turn, clock, ids };
    return yield* runTurn({ ...calls, tools, ...more, ...given }, signal);
  } catch (error) {
    return signal.aborted
      ? end({ stopReason: abortedAs(signal) })
      : end({ stopReason: "error", error: toErrorValue(error) });
  }
}
