import { NacreError } from "../../../shared/errors.ts";
import type { CommandRow } from "../../../shared/workspace.ts";
import type { Dispose } from "../kit/disposable.ts";
import type { ToolCallResult } from "./types.ts";

export interface CommandContext {
  readonly sessionId: string | null;
  readonly onOutput: (text: string) => void;
  readonly signal: AbortSignal;
  /** Calls a tool as the person who typed the command: seen and recorded like any call. Absent outside a conversation. */
  readonly callTool?: (name: string, input: unknown) => Promise<ToolCallResult>;
}
/** `text` is shown as the answer; `prompt` goes to the model as the user's message. */
export type CommandResult =
  | { readonly kind: "text"; readonly text: string; readonly isError?: boolean }
  | { readonly kind: "prompt"; readonly prompt: string };

/** A slash command (spec 8). Each room adds its own. */
export interface SlashCommand extends CommandRow {
  run(args: string, context: CommandContext): Promise<CommandResult>;
}

/** The one list of slash commands; the first of a name stays, a second one is refused. */
export class CommandRegistry {
  readonly #commands = new Map<string, SlashCommand>();

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
      .map(({ name, description, hint }) => ({ name, description, ...(hint === undefined ? {} : { hint }) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  get(name: string): SlashCommand | undefined {
    return this.#commands.get(name);
  }
}

/** `/mcp restart github` → `{name: "mcp", args: "restart github"}`; undefined where the text is no command. */
export function parseCommand(text: string): { name: string; args: string } | undefined {
  const match = /^\/([A-Za-z0-9][\w:.-]*)(?:\s+([\s\S]*))?$/.exec(text.trim());
  return match?.[1] === undefined ? undefined : { name: match[1], args: (match[2] ?? "").trim() };
}
