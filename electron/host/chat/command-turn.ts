import { NacreError, toErrorValue } from "../../../shared/errors.ts";
import type { Ids } from "../kit/clock.ts";
import type { CommandNote, CommandRegistry, CommandResult, TurnChanges } from "../tools/commands.ts";
import type { ToolCallResult } from "../tools/types.ts";
import { abortedAs } from "./abort.ts";
import { runCalls } from "./calls.ts";
import { Channel } from "./channel.ts";
import type { PersonCalls } from "./session-host.ts";
import { syncedCalls } from "./synced-calls.ts";
import { noUsage, type TurnEnd, type TurnEvent } from "./turn.ts";

export interface CommandTurnOptions {
  readonly commands: CommandRegistry;
  readonly calls: PersonCalls;
  readonly sessionId: string;
  readonly ids: Ids;
  /** Brings the record to the disk, before an approved call. */
  readonly sync: () => void;
}
/** The end of the turn, or what the command asks of the model. */
export type CommandOutcome =
  | { readonly end: TurnEnd }
  | { readonly prompt: string; readonly notes: readonly CommandNote[]; readonly changes: TurnChanges };

const ended = (rest: Partial<TurnEnd>): CommandOutcome => ({
  end: { stopReason: "end", text: "", steps: 0, usage: noUsage, ...rest },
});

/**
 * A slash command as a turn of its own: its output streams, its calls are seen, its text is the answer. No model is asked.
 * One that is mistyped or fails is told of as such, and the conversation goes on: the turn ends with its error, and well.
 */
export async function* commandTurn(
  { name, args }: { readonly name: string; readonly args: string },
  { commands, calls, sessionId, ids, sync }: CommandTurnOptions,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, CommandOutcome> {
  const command = commands.get(name);
  if (command === undefined) {
    const near = commands.nearName(name);
    const hint = near === undefined ? "" : `did you mean /${near}? `;
    const message = `there is no command /${name}; ${hint}/help lists the commands`;
    return ended({ error: { code: "not_found", message } });
  }
  const channel = new Channel<
    TurnEvent | { readonly type: "done"; readonly outcome: CommandResult | Error }
  >();
  const runner = syncedCalls(calls, sync);
  const message = ids.next();
  let text = "";
  const say = (more: string): void => {
    text += more;
    channel.push({ type: "text", message, text: more });
  };
  const callTool = async (tool: string, input: unknown): Promise<ToolCallResult> => {
    const running = runCalls(
      [{ id: ids.next(), name: tool, input }],
      { ...runner, tools: calls.tools() },
      signal,
    );
    for (;;) {
      const next = await running.next();
      if (!next.done) channel.push(next.value);
      else if (next.value[0] !== undefined) return next.value[0];
      else throw new NacreError("stopped", "stopped by the user");
    }
  };
  command
    .run(args, { sessionId, onOutput: say, signal, callTool })
    .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
    .then((outcome) => channel.push({ type: "done", outcome }))
    // Nothing above rejects; a channel does not throw.
    .catch(() => undefined);

  const answer = function* (): Generator<TurnEvent> {
    if (text !== "") yield { type: "assistant", message, text, reasoning: "" };
  };
  try {
    for (;;) {
      const event = await channel.next(signal);
      if (event.type !== "done") {
        yield event;
        continue;
      }
      const { outcome } = event;
      if (outcome instanceof Error) {
        yield* answer();
        return ended({ text, error: toErrorValue(outcome) });
      }
      if (outcome.kind === "prompt") {
        yield* answer();
        const { kind: _kind, prompt, notes = [], ...changes } = outcome;
        return { prompt, notes, changes };
      }
      if (outcome.isError) {
        yield* answer();
        return ended({ text, error: { code: "invalid_input", message: outcome.text } });
      }
      const more = text === "" || outcome.text === "" ? outcome.text : `\n${outcome.text}`;
      if (more !== "") {
        text += more;
        yield { type: "text", message, text: more };
      }
      yield* answer();
      return ended({ text });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    for (const event of channel.drain()) if (event.type !== "done") yield event;
    yield* answer();
    return ended({ stopReason: abortedAs(signal), text });
  }
}
