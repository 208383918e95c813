import { canonicalJson } from "../../../../shared/json.ts";
import { cutEnd, visibleName, visibleText } from "../../../../shared/visible-text.ts";
import type { Dispose } from "../../kit/disposable.ts";
import type { SlashCommand } from "../../tools/commands.ts";
import { modelToolNames } from "../tool-names.ts";
import type { McpServer } from "../server.ts";
import type { Prompt } from "./offered-lists.ts";
import { promptArguments, readPromptArguments } from "./prompt-arguments.ts";
import { promptText } from "./prompt-text.ts";

/** Characters of a description in the list of commands. */
const mostDescription = 300;

export interface ServerPrompt {
  readonly server: McpServer;
  readonly prompt: Prompt;
}
interface Registered {
  readonly text: string;
  readonly server: McpServer;
  readonly dispose: Dispose;
}

/** The prompts of the servers with their commands, `/mcp__server__prompt`, in the order of the configuration. */
export function namedPrompts(
  prompts: readonly ServerPrompt[],
): (ServerPrompt & { readonly command: string })[] {
  const names = modelToolNames(
    prompts.map(({ server, prompt }) => ({ server: server.name, tool: prompt.name })),
  );
  return prompts.map((one, index) => ({ ...one, command: names[index] ?? "" }));
}

/** A prompt of a server as a slash command: what the server makes of it is the user's message. */
function promptCommand({
  server,
  prompt,
  command,
}: ServerPrompt & { readonly command: string }): SlashCommand {
  const declared = promptArguments(prompt);
  const { hint, schema } = declared;
  return {
    name: command,
    description:
      `${visibleText(cutEnd(prompt.description, mostDescription).kept).replaceAll("\n", " ")} (MCP prompt of ${visibleName(server.name)})`.trimStart(),
    ...(hint === undefined ? {} : { hint }),
    ...(schema === undefined ? {} : { arguments: schema }),
    prompt: { server: server.name, name: prompt.name },
    async run(args, { signal, onOutput }) {
      const { values, text, problems } = readPromptArguments(declared, args);
      if (problems.length > 0) {
        const usage = hint === undefined ? "" : `; write /${command} ${hint}, or NAME=value`;
        return { kind: "text", isError: true, text: `/${command}: ${problems.join("; ")}${usage}` };
      }
      const result = await server.request(
        "prompts/get",
        { name: prompt.name, arguments: values },
        { onOutput },
        signal,
      );
      const given = promptText(result, server.name, prompt.name);
      return { kind: "prompt", prompt: text === "" ? given : `${given}\n\n${text}`, outside: true };
    },
  };
}

/** Keeps the list of commands at the prompts that the servers offer: only what changed is taken out or put in. */
export class PromptCommands {
  readonly #add: (command: SlashCommand) => Dispose;
  readonly #onProblem: (text: string) => void;
  #registered = new Map<string, Registered>();

  /** @param add throws where the name is taken */
  constructor(add: (command: SlashCommand) => Dispose, onProblem: (text: string) => void) {
    this.#add = add;
    this.#onProblem = onProblem;
  }
  /** True where something changed. */
  sync(prompts: readonly ServerPrompt[]): boolean {
    const wanted = new Map(namedPrompts(prompts).map((one) => [one.command, one]));
    const before = this.#registered;
    const isKept = (name: string, { text, server }: Registered): boolean => {
      const now = wanted.get(name);
      return now?.server === server && canonicalJson(now.prompt) === text;
    };
    const kept = new Map([...before].filter((entry) => isKept(...entry)));
    this.#registered = kept;
    const removed = [...before].filter(([name]) => !kept.has(name));
    const added = [...wanted].filter(([name]) => !kept.has(name));
    for (const [, { dispose }] of removed) void dispose();
    for (const [name, one] of added) this.#register(name, one);
    return removed.length > 0 || added.length > 0;
  }
  #register(name: string, one: ServerPrompt & { readonly command: string }): void {
    try {
      const dispose = this.#add(promptCommand(one));
      this.#registered.set(name, { text: canonicalJson(one.prompt), server: one.server, dispose });
    } catch (error) {
      this.#onProblem(`/${name} is not offered: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
