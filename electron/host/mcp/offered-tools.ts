import { canonicalJson } from "../../../shared/json.ts";
import type { McpAppRef } from "../../../shared/mcp-app.ts";
import type { Dispose } from "../kit/disposable.ts";
import type { Tool } from "../tools/types.ts";
import type { McpServer } from "./server.ts";
import { isAutoApproved, isToolDeclaredOn, modelToolNames, toolSwitchId } from "./tool-names.ts";
import { mcpTool } from "./tools.ts";
import type { McpToolDefinition } from "./types.ts";

interface Registered {
  /** Name, class and definition: another text is another tool. */
  readonly text: string;
  readonly dispose: Dispose;
}
export interface OfferedToolsPorts {
  /** @throws NacreError `already_exists` */
  readonly addTool: (tool: Tool) => Dispose;
  /** The switch of one tool, on where nobody set it. */
  readonly isToolOn: (id: string) => boolean;
  /** The owner of a server whose name one of the user's own bears too; undefined for all others. */
  readonly borrowedName: (server: McpServer) => string | undefined;
  /** The app that shows a tool's calls. */
  readonly appOf?: (server: McpServer, tool: McpToolDefinition) => McpAppRef | undefined;
}

/** Keeps the tool registry at what the servers offer: only what changed is taken out or put in. */
export class OfferedTools {
  readonly #ports: OfferedToolsPorts;
  readonly #texts = new WeakMap<McpToolDefinition, string>();
  #registered = new Map<string, Registered>();
  #problems: string[] = [];
  constructor(ports: OfferedToolsPorts) {
    this.#ports = ports;
  }
  /** Tools that the registry refused, one line each. */
  get problems(): readonly string[] {
    return this.#problems;
  }
  /** The tools of one server that are on. */
  of(server: McpServer): McpToolDefinition[] {
    const { name, declaration } = server;
    return server.tools.filter(
      (tool) =>
        isToolDeclaredOn(declaration.config, tool.name) &&
        this.#ports.isToolOn(toolSwitchId(name, tool.name)),
    );
  }
  /** `servers` in the order of the configuration, which decides names. True where something changed. */
  sync(servers: readonly McpServer[]): boolean {
    const wanted = new Map<string, { text: string; tool: Tool }>();
    // Names are given to all, also to what is off, so that a switch renames nothing.
    const all = servers.flatMap((server) =>
      server.tools.map((tool) => ({ server: server.name, tool: tool.name })),
    );
    const names = modelToolNames(all);
    const nameOf = new Map(all.map((entry, index) => [key(entry.server, entry.tool), names[index] ?? ""]));
    for (const server of servers)
      for (const definition of this.of(server)) {
        const name = nameOf.get(key(server.name, definition.name)) ?? "";
        const own = mcpTool(
          server.name,
          name,
          definition,
          server.declaration.config,
          (...call) => server.call(...call),
          this.#ports.appOf?.(server, definition),
        );
        const borrowedName = this.#ports.borrowedName(server);
        const { config, file } = server.declaration;
        const permFrom = isAutoApproved(config, definition.name) ? `autoApprove of ${file}` : undefined;
        const tool = {
          ...own,
          ...(borrowedName === undefined ? {} : { borrowedName }),
          ...(permFrom === undefined ? {} : { permFrom }),
        };
        wanted.set(key(server.id, definition.name), {
          text: `${name} ${tool.perm} ${borrowedName ?? ""} ${permFrom ?? ""} ${this.#textOf(definition)}`,
          tool,
        });
      }
    const before = this.#registered;
    const kept = new Map([...before].filter(([id, { text }]) => wanted.get(id)?.text === text));
    this.#registered = kept;
    const added = [...wanted].filter(([id]) => !kept.has(id));
    const removed = [...before].filter(([id]) => !kept.has(id));
    this.#problems = [];
    for (const [, { dispose }] of removed) void dispose();
    for (const [id, { text, tool }] of added) this.#add(id, text, tool);
    return removed.length > 0 || added.length > 0;
  }
  #textOf(definition: McpToolDefinition): string {
    const text = this.#texts.get(definition) ?? canonicalJson(definition);
    this.#texts.set(definition, text);
    return text;
  }
  #add(id: string, text: string, tool: Tool): void {
    try {
      this.#registered.set(id, { text, dispose: this.#ports.addTool(tool) });
    } catch (error) {
      this.#problems.push(
        `${tool.title} is not offered: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
const key = (server: string, tool: string): string => `${server}\0${tool}`;
