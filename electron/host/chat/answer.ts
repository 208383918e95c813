import type { TraceRow } from "../../../shared/trace.ts";
import type { Clock, Ids } from "../kit/clock.ts";
import { parseCommand } from "../tools/commands.ts";
import { commandTurn } from "./command-turn.ts";
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
  if (command === undefined) return yield* modelTurn(text, false, options, signal);
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
  if ("end" in outcome) return outcome.end;
  yield { type: "prompt", text: outcome.prompt };
  return yield* modelTurn(outcome.prompt, true, options, signal);
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
