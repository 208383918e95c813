import type { McpServerDetails, McpToolRow } from "../../../shared/mcp.ts";
import { cutEnd, visibleName, visibleText } from "../../../shared/visible-text.ts";
import { isForModels, type ToolView } from "./offered-tools.ts";
import { hintsOf } from "./pins.ts";
import { isAutoApproved, toolSwitchId } from "./tool-names.ts";
import type { McpServer } from "./server.ts";
import type { McpToolDefinition } from "./types.ts";

/** A token of a schema is about this many characters: an estimate, as each model counts in its own way. */
const charactersOfToken = 4;
const longestDescription = 4_000;
const known = new WeakMap<McpToolDefinition, number>();
/** What a definition costs in each request, tokens, estimated: of its name, description and schema, which is all that is sent. */
export function tokensOf(definition: McpToolDefinition): number {
  const before = known.get(definition);
  if (before !== undefined) return before;
  const { name, description, inputSchema } = definition;
  const tokens = Math.ceil(JSON.stringify({ name, description, inputSchema }).length / charactersOfToken);
  known.set(definition, tokens);
  return tokens;
}
/** What a server's row tells of its tools. */
export function toolCounts(views: readonly ToolView[]): {
  readonly tokens: number;
  readonly changedTools?: number;
  readonly newTools?: number;
} {
  const changed = views.filter(({ verdict }) => verdict.state === "changed").length;
  const added = views.filter(({ verdict }) => verdict.state === "new").length;
  return {
    tokens: views.filter(isForModels).reduce((sum, { definition }) => sum + tokensOf(definition), 0),
    ...(changed === 0 ? {} : { changedTools: changed }),
    ...(added === 0 ? {} : { newTools: added }),
  };
}
/** What a server is and offers (`mcp.details`). */
export function serverDetails(server: McpServer, views: readonly ToolView[]): McpServerDetails {
  const { connection, name, declaration } = server;
  const row = (view: ToolView): McpToolRow => {
    const { definition: tool, verdict, isDeclaredOn, isOn, appOnly } = view;
    const hints = hintsOf(tool);
    const isChanged = verdict.state === "changed";
    const approved =
      isAutoApproved(declaration.config, tool.name) &&
      !(declaration.config.autoApprove === true && verdict.state === "new");
    return {
      name: tool.name,
      description: visibleText(cutEnd(tool.description, longestDescription).kept),
      state: isChanged ? "changed" : !isOn ? "off" : appOnly ? "app_only" : "on",
      switchId: toolSwitchId(name, tool.name),
      tokens: tokensOf(tool),
      ...(isOn && !isChanged ? { perm: approved ? "read" : "net" } : {}),
      ...(isDeclaredOn ? {} : { note: `switched off by ${declaration.file}` }),
      ...(tool.title === undefined ? {} : { title: visibleName(tool.title) }),
      ...(hints.length === 0 ? {} : { hints }),
      ...(verdict.state === "new" ? { added: { digest: verdict.digest } } : {}),
      ...(isChanged
        ? { change: { digest: verdict.digest, before: verdict.before, after: verdict.after } }
        : {}),
    };
  };
  return {
    protocol: connection?.protocol ?? "",
    title: connection?.serverInfo.name ?? "",
    version: connection?.serverInfo.version ?? "",
    instructions: server.instructions,
    capabilities: Object.keys(connection?.capabilities ?? {}),
    tools: views.map(row),
    resources: [],
    templates: [],
    prompts: [],
    problems: server.problems,
  };
}
