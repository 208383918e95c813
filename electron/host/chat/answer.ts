import { parseCommand, skillLineOf } from "../../../shared/command-line.ts";
import { mentionedNames } from "../../../shared/skill-mentions.ts";
import type { TraceRow } from "../../../shared/trace.ts";
import type { Clock, Ids } from "../kit/clock.ts";
import { commandTurn } from "./command-turn.ts";
import { mentionTurn } from "./mention-turn.ts";
import { modelTurn } from "./model-turn.ts";
import type { AnswerOptions } from "./session-host.ts";
import type { TurnEnd, TurnEvent } from "./turn.ts";

/**
 * The turn of one message: a slash command, with any model (cli.md), or what the model says to it. The message itself
 * stands in the record already. Ends by itself after an abort; never throws.
 */
export async function* answer(
  text: string,
  options: AnswerOptions,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, TurnEnd> {
  const command = parseCommand(text);
  if (command === undefined) {
    const mentioned = yield* mentionTurn(text, "", options, signal);
    if ("end" in mentioned) {
      yield* unusedSkills(mentionedNames(text));
      return mentioned.end;
    }
    const { texts, changes } = mentioned;
    const question = { text: [...texts, text].join("\n\n"), expanded: texts.length > 0, changes };
    return yield* modelTurn(question, options, signal);
  }
  const { host, session, record, ids } = options;
  const commands = new Set(host.commands.rows().map(({ name }) => name));
  const line = skillLineOf(text, commands);
  const named = [...(line ? [line.name] : []), ...mentionedNames(command.args)];
  const outcome = yield* commandTurn(
    command,
    {
      commands: host.commands,
      calls: host.personCalls(session),
      sessionId: session.id,
      ids,
      sync: () => record.sync(),
    },
    signal,
  );
  if ("end" in outcome) {
    yield* unusedSkills(named);
    return outcome.end;
  }
  const { prompt, notes, changes } = outcome;
  for (const note of notes) yield { type: "notice", ...note };
  const mentioned = yield* mentionTurn(command.args, prompt, options, signal);
  if ("end" in mentioned) {
    yield* unusedSkills(named);
    return mentioned.end;
  }
  yield { type: "prompt", text: prompt };
  const allow = [...(changes.allow ?? []), ...(mentioned.changes.allow ?? [])];
  const question = {
    text: [...mentioned.texts, prompt].join("\n\n"),
    expanded: true,
    changes: { ...mentioned.changes, ...changes, allow },
  };
  return yield* modelTurn(question, options, signal);
}

/** Tells that a message goes to no model with what it names. */
function* unusedSkills(names: readonly string[]): Generator<TurnEvent> {
  if (names.length > 0) yield { type: "unused_skills", names };
}

/** One model call in the trace. */
export function modelTrace(
  { model, durationMs, usage, error }: Extract<TurnEvent, { type: "step_end" }>,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
): TraceRow {
  return {
    id: ids.next(),
    t: clock.now() - durationMs,
    kind: "model",
    title: model,
    status: error === undefined ? "completed" : "failed",
    origin: "model",
    durationMs,
    output: error?.message ?? `${usage.inputTokens} tokens in, ${usage.outputTokens} out`,
  };
}
