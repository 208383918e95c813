import { parseCommand, skillLineOf } from "../../../shared/command-line.ts";
import { mentionedNames } from "../../../shared/skill-mentions.ts";
import type { TraceRow } from "../../../shared/trace.ts";
import type { Clock, Ids } from "../kit/clock.ts";
import { commandTurn } from "./command-turn.ts";
import { mentionTurn } from "./mention-turn.ts";
import { modelTurn, type Question } from "./model-turn.ts";
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
  const asked = yield* questionOf(text, options, signal);
  if (!("end" in asked)) return yield* modelTurn(asked, options, signal);
  const names = namedSkills(text, options);
  if (names.length > 0) yield { type: "unused_skills", names };
  return asked.end;
}

/** What the model is asked, or the end of a turn that none is asked in. */
async function* questionOf(
  text: string,
  options: AnswerOptions,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, Question | { readonly end: TurnEnd }> {
  const command = parseCommand(text);
  if (command === undefined) {
    const mentioned = yield* mentionTurn(text, "", options, signal);
    if ("end" in mentioned) return mentioned;
    const { texts, changes } = mentioned;
    return { text: [...texts, text].join("\n\n"), expanded: texts.length > 0, changes };
  }
  const { host, session, record, ids } = options;
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
  if ("end" in outcome) return outcome;
  const { prompt, notes, changes } = outcome;
  for (const note of notes) yield { type: "notice", ...note };
  const mentioned = yield* mentionTurn(command.args, prompt, options, signal);
  if ("end" in mentioned) return mentioned;
  yield { type: "prompt", text: prompt };
  const allow = [...(changes.allow ?? []), ...(mentioned.changes.allow ?? [])];
  return {
    text: [...mentioned.texts, prompt].join("\n\n"),
    expanded: true,
    changes: { ...mentioned.changes, ...changes, allow },
  };
}

/** The skills that there are of those that a message names, as it names them. */
function namedSkills(
  text: string,
  { host, session }: Pick<AnswerOptions, "host" | "session">,
): readonly string[] {
  const line = skillLineOf(text, new Set(host.commands.rows().map(({ name }) => name)));
  const names = [...(line ? [line.name] : []), ...mentionedNames(parseCommand(text)?.args ?? text)];
  return [...new Set(names)].filter((name) => host.isSkill?.(name, session));
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
