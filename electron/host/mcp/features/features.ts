import type { Input, Output } from "../../../../shared/contract/index.ts";
import type { McpPromptRow, McpResourceRow, McpTemplateRow } from "../../../../shared/mcp.ts";
import type { Dispose } from "../../kit/disposable.ts";
import { Emitter, type Listenable } from "../../kit/emitter.ts";
import type { SlashCommand } from "../../tools/commands.ts";
import type { Tool } from "../../tools/types.ts";
import type { McpServer } from "../server.ts";
import { attachResources, type Attached } from "./attach.ts";
import { Completion } from "./completion.ts";
import { mentionOf } from "./mentions.ts";
import { templateVariables } from "./offered-lists.ts";
import { Offers } from "./offers.ts";
import { namedPrompts, PromptCommands, type ServerPrompt } from "./prompt-commands.ts";
import { resourceTools } from "./resource-tools.ts";

export interface FeaturePorts {
  /** The servers that count, in the order of the configuration. */
  readonly servers: () => readonly McpServer[];
  /** @throws NacreError `not_found` */
  readonly find: (name: string) => McpServer;
  /** @throws NacreError `already_exists` */
  readonly addTool: (tool: Tool) => Dispose;
  /** @throws NacreError `already_exists` */
  readonly addCommand: (command: SlashCommand) => Dispose;
  readonly onProblem: (text: string) => void;
  readonly completionMs?: number;
}
/** What servers offer beside tools: resources and templates (`@`), prompts (`/`), completion. */
export class Features {
  readonly #ports: FeaturePorts;
  readonly #offers: Offers;
  readonly #completion: Completion;
  readonly #commands: PromptCommands;
  #tools: readonly Dispose[] = [];
  readonly #changed = new Emitter<void>();
  /** Some resource, template or prompt may be another by now. */
  readonly onChange: Listenable<void> = this.#changed;

  constructor(ports: FeaturePorts) {
    this.#ports = ports;
    this.#offers = new Offers(() => this.sync());
    this.#completion = new Completion(this.#offers, ports.completionMs);
    this.#commands = new PromptCommands(ports.addCommand, ports.onProblem);
  }
  /** Is told whenever the state of a server may have changed. */
  follow(server: McpServer): void {
    this.#offers.follow(server);
  }
  /** A list of a ready server changed. */
  refresh(server: McpServer, list: "resources" | "prompts"): void {
    this.#offers.refresh(server, list);
  }
  /** Brings commands and tools to what the servers that count offer. */
  sync(): void {
    this.#commands.sync(this.#prompts());
    const wanted = this.#withResources().length > 0;
    if (wanted && this.#tools.length === 0) this.#tools = this.#addTools();
    if (!wanted) {
      for (const dispose of this.#tools) void dispose();
      this.#tools = [];
    }
    this.#changed.emit();
  }
  /** The folders in which the app works are others by now. */
  rootsChanged(): void {
    for (const { connection } of this.#ports.servers())
      // The revisions without a handshake ask for them with each call (MCP 2026-07-28).
      if (connection && connection.protocol < "2026")
        void connection.notify("notifications/roots/list_changed", {});
  }
  /** Resolves when nothing is being listed. Never rejects. */
  settled(): Promise<void> {
    return this.#offers.settled();
  }
  /** What one server offers, as its panel shows it. */
  of(server: McpServer): {
    readonly resources: readonly McpResourceRow[];
    readonly templates: readonly McpTemplateRow[];
    readonly prompts: readonly McpPromptRow[];
    readonly problems: readonly string[];
  } {
    const { resources, templates, problems } = this.#offers.of(server);
    const { name } = server;
    return {
      resources: resources.map((row) => ({ server: name, mention: mentionOf(name, row.uri), ...row })),
      templates: templates.map((row) => ({
        server: name,
        mention: mentionOf(name, row.uriTemplate),
        variables: templateVariables(row.uriTemplate),
        ...row,
      })),
      prompts: namedPrompts(this.#prompts())
        .filter((one) => one.server === server)
        .map(({ prompt, command }) => ({ server: name, command, ...prompt })),
      problems,
    };
  }
  /** Resources and templates of every ready server. */
  resources(): Output<"mcp.resources"> {
    const all = this.#ports.servers().map((server) => this.of(server));
    return {
      resources: all.flatMap(({ resources }) => resources),
      templates: all.flatMap(({ templates }) => templates),
    };
  }
  /** Values that a server proposes; empty where it fails. @throws NacreError `not_found` */
  complete({ name, ...asked }: Input<"mcp.complete">, signal: AbortSignal): Promise<Output<"mcp.complete">> {
    return this.#completion.complete(this.#ports.find(name), asked, signal);
  }
  /** Reads the resources that a message mentions. @throws NacreError that names the one that cannot be read */
  attach(text: string, signal: AbortSignal): Promise<Attached> {
    return attachResources(text, this.#ports.servers(), this.#offers, signal);
  }

  #prompts(): readonly ServerPrompt[] {
    return this.#ports
      .servers()
      .flatMap((server) => this.#offers.of(server).prompts.map((prompt) => ({ server, prompt })));
  }
  #withResources(): readonly McpServer[] {
    return this.#ports.servers().filter((server) => this.#offers.hasResources(server));
  }
  #addTools(): readonly Dispose[] {
    const tools = resourceTools({ servers: () => this.#withResources(), offers: this.#offers });
    return tools.flatMap((tool) => {
      try {
        return this.#ports.addTool(tool);
      } catch (error) {
        this.#ports.onProblem(`${tool.name} is not offered: ${String(error)}`);
        return [];
      }
    });
  }
}
