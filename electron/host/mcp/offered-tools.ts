import { NacreError } from "../../../shared/errors.ts";
import { canonicalJson } from "../../../shared/json.ts";
import type { McpAppRef } from "../../../shared/mcp-app.ts";
import type { Dispose } from "../kit/disposable.ts";
import type { Tool } from "../tools/types.ts";
import type { McpServer } from "./server.ts";
import { isAutoApproved, isToolDeclaredOn, modelToolNames, toolSwitchId } from "./tool-names.ts";
import { isAppOnly, type Pins, type Verdict, verdictOn } from "./pins.ts";
import { heldBackReason, heldBackTool, mcpTool } from "./tools.ts";
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
  /** What was agreed to of a server's tools; what it offers for the first time is agreed to by it. */
  readonly pins: (server: McpServer) => Pins | undefined;
  /** The app that shows a tool's calls. */
  readonly appOf?: (server: McpServer, tool: McpToolDefinition) => McpAppRef | undefined;
  /** Writes a text beside a conversation and gives its path, as `read_file` takes it. */
  readonly keepText?: ((sessionId: string, text: string) => string) | undefined;
}

/** One tool of a server, and what is said of it here. */
export interface ToolView {
  readonly definition: McpToolDefinition;
  readonly verdict: Verdict;
  /** Hidden from models. */
  readonly appOnly: boolean;
  /** Not switched off by its server's file. */
  readonly isDeclaredOn: boolean;
  /** Nor by its own switch. */
  readonly isOn: boolean;
}
/** Whether a model is offered it. */
export const isForModels = ({ isOn, appOnly, verdict }: ToolView): boolean =>
  isOn && !appOnly && verdict.state !== "changed";

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
  /** Every tool that a server has, with what is said of it here. */
  views(server: McpServer): ToolView[] {
    const { tools } = server;
    const pins = tools.length === 0 ? undefined : this.#ports.pins(server);
    return tools.map((definition) => this.#view(server, definition, pins));
  }
  /** @throws NacreError `denied` where it is switched off or not what was approved, `not_found` where the server has none such */
  permit(server: McpServer, tool: string): void {
    const definition = server.tools.find(({ name }) => name === tool);
    if (!definition)
      throw new NacreError("not_found", `the MCP server "${server.name}" has no tool "${tool}"`);
    const view = this.#view(server, definition, this.#ports.pins(server));
    if (!view.isOn)
      throw new NacreError("denied", `the tool "${tool}" of the MCP server "${server.name}" is switched off`);
    if (view.verdict.state === "changed") throw new NacreError("denied", heldBackReason(server.name, tool));
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
      for (const view of this.views(server)) {
        if (!view.isOn) continue;
        const name = nameOf.get(key(server.name, view.definition.name)) ?? "";
        wanted.set(key(server.id, view.definition.name), this.#wanted(server, name, view));
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
  #view({ name, declaration }: McpServer, definition: McpToolDefinition, pins: Pins | undefined): ToolView {
    const isDeclaredOn = isToolDeclaredOn(declaration.config, definition.name);
    return {
      definition,
      verdict: verdictOn(definition, pins),
      appOnly: isAppOnly(definition),
      isDeclaredOn,
      isOn: isDeclaredOn && this.#ports.isToolOn(toolSwitchId(name, definition.name)),
    };
  }
  #wanted(server: McpServer, name: string, { definition, verdict }: ToolView): { text: string; tool: Tool } {
    const { state } = verdict;
    if (state === "changed")
      return { text: `${name} ${state}`, tool: heldBackTool(server.name, name, definition.name) };
    const { config, file } = server.declaration;
    // `autoApprove: true` spoke of the tools that there were; what came later is named, or looked at first.
    const isNamed = config.autoApprove !== true || state !== "new";
    const approved = isNamed && isAutoApproved(config, definition.name);
    const app = this.#ports.appOf?.(server, definition);
    const borrowedName = this.#ports.borrowedName(server);
    const tool = {
      ...mcpTool(server.name, name, definition, config, (...call) => server.call(...call), {
        approved,
        app,
        keepText: this.#ports.keepText,
      }),
      ...(borrowedName === undefined ? {} : { borrowedName }),
      ...(approved ? { permFrom: `autoApprove of ${file}` } : {}),
    };
    return {
      text: `${name} ${state} ${tool.perm} ${borrowedName ?? ""} ${file} ${this.#textOf(definition)}`,
      tool,
    };
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
