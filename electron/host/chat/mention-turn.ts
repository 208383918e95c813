import { toErrorValue } from "../../../shared/errors.ts";
import { untilAborted } from "../kit/abort.ts";
import type { TurnChanges } from "../tools/commands.ts";
import { abortedAs } from "./abort.ts";
import { wasGiven } from "./given-text.ts";
import type { AnswerOptions } from "./session-host.ts";
import { noUsage, type TurnEnd, type TurnEvent } from "./turn.ts";

/** What a message mentions, or the end of its turn where it was stopped meanwhile. */
type MentionOutcome =
  | { readonly texts: readonly string[]; readonly changes: TurnChanges }
  | { readonly end: TurnEnd };

/**
 * Brings what a message names with `@` before the model; the message itself stays the question. Never throws.
 * @param prompt what the model is about to get beside it
 */
export async function* mentionTurn(
  text: string,
  prompt: string,
  { host, session, record }: AnswerOptions,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, MentionOutcome> {
  if (host.mentions === undefined || !text.includes("@")) return { texts: [], changes: {} };
  try {
    const isGiven = (one: string): boolean =>
      prompt.includes(one) || wasGiven(record.lines(), one, (sha256) => record.readBlob(sha256));
    const found = await untilAborted(host.mentions(text, session, isGiven, signal), signal);
    const { texts, notes, unused, ...changes } = found;
    if (unused.length > 0) yield { type: "unused_skills", names: unused };
    for (const note of notes) yield { type: "notice", ...note };
    for (const one of texts) yield { type: "prompt", text: one };
    return { texts, changes };
  } catch (error) {
    const ended = { text: "", steps: 0, usage: noUsage };
    return {
      end: signal.aborted
        ? { ...ended, stopReason: abortedAs(signal) }
        : { ...ended, stopReason: "error", error: toErrorValue(error) },
    };
  }
}
