import type { RoleHead } from "./agents/role.ts";
import type { MoreTools } from "./chat/turn.ts";
import type { Dispose } from "./kit/disposable.ts";
import type { RecordLine } from "./record/lines.ts";
import { findTools, findToolsDescription, findToolsName, foundText, namesFound } from "./tools/find-tools.ts";
import type { Caller, Tool, ToolCall } from "./tools/types.ts";

/** Of a model of which nobody knows it, tokens. */
const usualContextTokens = 128_000;
/** Above it many models refuse a request, whatever the tools say. */
const mostTools = 128;
const charactersOfToken = 4;
const sizes = new WeakMap<Tool, number>();
function tokensOf(tool: Tool): number {
  const known = sizes.get(tool);
  if (known !== undefined) return known;
  const { name, description, inputSchema } = tool;
  const tokens = Math.ceil(JSON.stringify({ name, description, inputSchema }).length / charactersOfToken);
  sizes.set(tool, tokens);
  return tokens;
}
const isDeferrable = ({ origin, partOf }: Tool): boolean => origin.kind === "mcp" && partOf === undefined;

/**
 * Whether the tools of MCP servers are given on demand: where their definitions take more than a share of the context, or
 * all tools are more than models take. @param percent 0: always, 100: never
 */
export function isOverShare(tools: readonly Tool[], percent: number): boolean {
  const ofServers = tools.filter(isDeferrable);
  if (ofServers.length === 0 || percent >= 100) return false;
  const tokens = ofServers.reduce((sum, tool) => sum + tokensOf(tool), 0);
  return tokens > (usualContextTokens * percent) / 100 || tools.length > mostTools;
}

/** The names of tools that a conversation has asked for or called, in that order. */
export function rememberedTools(lines: readonly RecordLine[]): string[] {
  const finding = new Set<string>();
  const names = new Set<string>();
  for (const line of lines) {
    if (line.type === "tool_call") {
      if (line.name === findToolsName) finding.add(line.callId);
      else names.add(line.name);
    }
    if (line.type === "tool_result" && finding.has(line.callId))
      for (const name of namesFound(line.output.text)) names.add(name);
  }
  return [...names];
}

/** The tools that a role names one by one: it has them from the start. */
export const toolsNamed = (role: Pick<RoleHead, "tools"> | undefined, tools: readonly Tool[]): string[] => {
  const allow = role?.tools.allow ?? [];
  return tools
    .filter(({ name, title }) => allow.includes(name) || allow.includes(title))
    .map(({ name }) => name);
};

/** What one conversation, or one run of a sub-agent, is offered. */
export interface Offered {
  /** Sorted by name. */
  readonly tools: readonly Tool[];
  /** Absent where every tool is among them. */
  readonly more?: MoreTools;
  /** Everything that it may call. */
  readonly names: ReadonlySet<string>;
  /** A tool is called by its name: it is sent from then on. */
  called(call: ToolCall): void;
}
interface Open {
  readonly known: ReadonlyMap<string, Tool>;
  sent: readonly Tool[];
}
type Who = Pick<Caller, "agentRun" | "sessionId">;
const keyOf = ({ agentRun, sessionId }: Who): string => agentRun ?? sessionId ?? "";
const byName = (a: Tool, b: Tool): number => (a.name < b.name ? -1 : 1);

/** Tools that are given on demand (spec 6): who has which, and the tool that finds them. */
export class DeferredTools {
  readonly #open = new Map<string, Open>();
  readonly #addTool: (tool: Tool) => Dispose;
  #added = false;
  constructor(addTool: (tool: Tool) => Dispose) {
    this.#addTool = addTool;
  }
  /**
   * @param all everything that may be called, those among them that no model is shown
   * @param loaded names that are sent from the start: those that a role names, those that the record remembers
   */
  offer(
    all: readonly Tool[],
    who: Who,
    { percent, loaded }: { readonly percent: number; readonly loaded: readonly string[] },
  ): Offered {
    const own = all.filter(({ name, hidden }) => name !== findToolsName && hidden !== "app_only");
    const shown = own.filter(({ hidden }) => hidden === undefined);
    const names = new Set(own.map(({ name }) => name));
    if (!isOverShare(shown, percent)) {
      this.#open.delete(keyOf(who));
      return { tools: shown, names, called: () => undefined };
    }
    if (!this.#added) {
      this.#addTool(this.#tool());
      this.#added = true;
    }
    const known = new Map(shown.filter(isDeferrable).map((tool) => [tool.name, tool] as const));
    const open: Open = { known, sent: [] };
    this.#open.set(keyOf(who), open);
    load(open, loaded);
    const finder = { ...this.#tool(), description: findToolsDescription([...known.values()]) };
    return {
      tools: [...shown.filter(({ name }) => !known.has(name)), finder].sort(byName),
      more: { sent: () => open.sent, known: () => [...known.values()] },
      names: names.add(findToolsName),
      called: ({ name }) => load(open, [name]),
    };
  }
  /** A run of a sub-agent, or a conversation, is over. */
  end(who: Who): void {
    this.#open.delete(keyOf(who));
  }
  #tool(): Tool {
    return {
      name: findToolsName,
      title: findToolsName,
      description: "Finds tools of MCP servers that are not listed.",
      perm: "read",
      origin: { kind: "builtin", owner: "nacre" },
      inputSchema: {
        type: "object",
        properties: {
          query: { type: "string", description: "What the tool is to do, in a few words" },
          server: { type: "string", description: "The name of one server, to look there alone" },
          limit: { type: "integer", minimum: 1, maximum: 20, description: "8 where it is not given" },
        },
        required: ["query"],
      },
      run: (input, { caller }) => {
        const open = this.#open.get(keyOf(caller));
        if (!open)
          return Promise.resolve({ output: "every tool is listed already", isError: false, sandboxed: null });
        const { query, server, limit } = input;
        const tools = [...open.known.values()];
        const found = findTools(tools, {
          words: String(query),
          ...(typeof server === "string" && server !== "" ? { server } : {}),
          ...(typeof limit === "number" ? { limit } : {}),
        });
        load(
          open,
          found.tools.map(({ name }) => name),
        );
        const servers = [...new Set(tools.map(({ origin }) => origin.owner))];
        return Promise.resolve({ output: foundText(found, servers), isError: false, sandboxed: null });
      },
    };
  }
}
function load(open: Open, names: readonly string[]): void {
  const has = new Set(open.sent);
  const added = names.flatMap((name) => open.known.get(name) ?? []).filter((tool) => !has.has(tool));
  if (added.length > 0) open.sent = [...open.sent, ...new Set(added)];
}
