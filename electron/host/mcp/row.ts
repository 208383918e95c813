import type { McpServerRow } from "../../../shared/mcp.ts";
import { declaredCommand } from "./launch.ts";
import type { McpServer } from "./server.ts";

const origins: Readonly<Record<McpServer["declaration"]["scope"], (owner: string) => string>> = {
  user: (owner) => (owner === "user" ? "user" : `user (${owner})`),
  workspace: (owner) => (owner === "workspace" ? "workspace" : `workspace (${owner})`),
  plugin: (owner) => `plugin ${owner}`,
};

/** What a list, a dot and the command line show of a server. `tools` are the names of those that are on. */
export function serverRow(server: McpServer, tools: readonly string[], enabled: boolean): McpServerRow {
  const { declaration, state } = server;
  const broken = state.name === "failed" || state.name === "exited";
  const error = broken
    ? state.error
    : state.name === "needs_setup"
      ? `not set: ${state.missing.join(", ")}`
      : undefined;
  return {
    id: server.id,
    name: server.name,
    transport: server.transport,
    state: state.name,
    toolCount: tools.length,
    tools,
    ...(error === undefined ? {} : { error }),
    ...(broken && state.stderr !== "" ? { stderr: state.stderr } : {}),
    origin: origins[declaration.scope](declaration.owner),
    scope: declaration.scope,
    ...(state.name === "ready" ? { startMs: state.startMs } : {}),
    command: declaredCommand(declaration.config),
    enabled,
    ...(declaration.config.sandbox && server.transport === "stdio" ? { confined: true as const } : {}),
  };
}
