import type { McpServerDetails, McpToolRow } from "../../../shared/mcp.ts";
import { isToolDeclaredOn, toolSwitchId } from "./tool-names.ts";
import type { McpServer } from "./server.ts";
import type { McpToolDefinition } from "./types.ts";

/** A token of a schema is about this many characters: an estimate, as each model counts in its own way. */
const charactersOfToken = 4;
/** What a definition costs in each request, tokens, estimated. */
export const tokensOf = (definition: McpToolDefinition): number =>
  Math.ceil(JSON.stringify(definition).length / charactersOfToken);

/** What a server is and offers (`mcp.details`). `on`: the names of its tools that are on. */
export function serverDetails(server: McpServer, on: ReadonlySet<string>): McpServerDetails {
  const { connection, name, declaration } = server;
  const row = (tool: McpToolDefinition): McpToolRow => ({
    name: tool.name,
    description: tool.description,
    state: on.has(tool.name) ? "on" : "off",
    switchId: toolSwitchId(name, tool.name),
    tokens: tokensOf(tool),
    ...(isToolDeclaredOn(declaration.config, tool.name)
      ? {}
      : { note: `switched off by ${declaration.file}` }),
  });
  return {
    protocol: connection?.protocol ?? "",
    title: connection?.serverInfo.name ?? "",
    version: connection?.serverInfo.version ?? "",
    instructions: server.instructions,
    capabilities: Object.keys(connection?.capabilities ?? {}),
    tools: server.tools.map(row),
    resources: [],
    templates: [],
    prompts: [],
    problems: server.problems,
  };
}
