import type { McpServerRow } from "../../../shared/mcp.ts";
import { contributionId } from "../../../shared/contribution.ts";
import type { McpDeclaration } from "../config/types.ts";
import { declaredCommand, declaredTransport } from "./launch.ts";
import { toolCounts } from "./details.ts";
import { isForModels, type ToolView } from "./offered-tools.ts";
import type { McpServer } from "./server.ts";

const origins: Readonly<Record<McpDeclaration["scope"], (owner: string) => string>> = {
  user: (owner) => (owner === "user" ? "user" : `user (${owner})`),
  workspace: (owner) => (owner === "workspace" ? "workspace" : `workspace (${owner})`),
  plugin: (owner) => `plugin ${owner}`,
};

const originOf = ({ scope, owner }: McpDeclaration): string => origins[scope](owner);

/** What a list, a dot and the command line show of a server. */
export function serverRow(server: McpServer, views: readonly ToolView[], enabled: boolean): McpServerRow {
  const tools = views.filter(isForModels).map(({ definition }) => definition.name);
  const { declaration, state } = server;
  const broken = state.name === "failed" || state.name === "exited";
  const error = broken
    ? state.error
    : state.name === "needs_setup"
      ? (state.reason ?? `not set: ${state.missing.join(", ")}`)
      : undefined;
  return {
    ...declaredRow(declaration, server.transport, state.name, enabled),
    toolCount: tools.length,
    tools,
    ...(views.length === 0 ? {} : toolCounts(views)),
    ...(error === undefined ? {} : { error }),
    ...(broken && state.stderr !== "" ? { stderr: state.stderr } : {}),
    ...(state.name === "ready" ? { startMs: state.startMs } : {}),
  };
}
/** What is shown of a declaration that does not count, for another has its name. `by`: the one that shadows it. */
export function shadowedRow(
  declaration: McpDeclaration,
  state: McpServerRow["state"],
  enabled: boolean,
  by: McpDeclaration | undefined,
): McpServerRow {
  return {
    ...declaredRow(declaration, declaredTransport(declaration.config), state, enabled),
    ...(by === undefined ? {} : { shadowedBy: originOf(by) }),
  };
}
const declaredRow = (
  declaration: McpDeclaration,
  transport: McpServerRow["transport"],
  state: McpServerRow["state"],
  enabled: boolean,
): McpServerRow => ({
  id: contributionId("mcp", declaration.owner, declaration.name),
  name: declaration.name,
  transport,
  state,
  toolCount: 0,
  tools: [],
  origin: originOf(declaration),
  scope: declaration.scope,
  command: declaredCommand(declaration.config),
  enabled,
  ...(declaration.config.sandbox && transport === "stdio" ? { confined: true as const } : {}),
});
