import { NacreError } from "../../../shared/errors.ts";
import { nearWord } from "../../../shared/near-word.ts";
import type { CommandRow } from "../../../shared/workspace.ts";
import type { Rule } from "../config/permission.ts";
import type { Dispose } from "../kit/disposable.ts";
import type { ToolCallResult } from "./types.ts";

export interface CommandContext {
  readonly sessionId: string | null;
  readonly onOutput: (text: string) => void;
  readonly signal: AbortSignal;
  /** Calls a tool as the person who typed the command: seen and recorded like any call. Absent outside a conversation. */
  readonly callTool?: (name: string, input: unknown) => Promise<ToolCallResult>;
}
/** What a turn takes otherwise than its conversation, for its own length alone. */
export interface TurnChanges {
  /** `PROVIDER/MODEL` */
  readonly model?: string;
  /** What the person has allowed for this turn; any other rule that speaks of a call comes after. */
  readonly allow?: readonly Rule[];
  /** Text from outside is part of what the model is asked (spec 4). */
  readonly outside?: true;
}
/** What the person is told before the turn goes on. */
export interface CommandNote {
  readonly level: "info" | "warning";
  readonly text: string;
}
/** `text` is shown as the answer; `prompt` goes to the model as the user's message. */
export type CommandResult =
  | { readonly kind: "text"; readonly text: string; readonly isError?: boolean }
  | ({
      readonly kind: "prompt";
      readonly prompt: string;
      readonly notes?: readonly CommandNote[];
    } & TurnChanges);

/** A slash command (spec 8). Each room adds its own. */
export interface SlashCommand extends CommandRow {
  /** Takes the place of `hint` where one command is told of, and costs more. */
  usage?(): Promise<string>;
  run(args: string, context: CommandContext): Promise<CommandResult>;
}

/** Commands that are too many for the list of commands: a thousand skills, each by its name. */
export interface CommandFallback {
  get(name: string): SlashCommand | undefined;
  /** For "did you mean". */
  names(): Iterable<string>;
}

/** The one list of slash commands; the first of a name stays, a second one is refused. */
export class CommandRegistry {
  readonly #commands = new Map<string, SlashCommand>();
  readonly #fallbacks = new Set<CommandFallback>();

  /** @throws NacreError `already_exists` */
  add(command: SlashCommand): Dispose {
    if (this.#commands.has(command.name))
      throw new NacreError("already_exists", `the command /${command.name} exists already`);
    this.#commands.set(command.name, command);
    return () => {
      // A second call must not remove a command that was added since.
      if (this.#commands.get(command.name) === command) this.#commands.delete(command.name);
    };
  }
  rows(): CommandRow[] {
    return [...this.#commands.values()]
      .map(({ name, description, hint, arguments: schema, prompt }) => ({
        name,
        description,
        ...(hint === undefined ? {} : { hint }),
        ...(schema === undefined ? {} : { arguments: schema }),
        ...(prompt === undefined ? {} : { prompt }),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  /** Is asked for a name that no command has. Its own are no rows. */
  addFallback(fallback: CommandFallback): Dispose {
    this.#fallbacks.add(fallback);
    return () => void this.#fallbacks.delete(fallback);
  }
  get(name: string): SlashCommand | undefined {
    const own = this.#commands.get(name);
    if (own) return own;
    for (const fallback of this.#fallbacks) {
      const found = fallback.get(name);
      if (found) return found;
    }
    return undefined;
  }
  /** A command of the list, and none that a fallback answers for. */
  isListed(name: string): boolean {
    return this.#commands.has(name);
  }
  /** The name that was most likely meant by one that nothing answers to. */
  nearName(name: string): string | undefined {
    const others = [...this.#fallbacks].flatMap((fallback) => [...fallback.names()]);
    return nearWord(name, [...this.#commands.keys(), ...others]);
  }
}
