import type { McpServerRow, McpStateName } from "../../../shared/mcp.ts";

const mcpScopes = ["user", "workspace", "plugin"] as const;
export interface McpGroup {
  readonly scope: McpServerRow["scope"];
  readonly rows: readonly McpServerRow[];
}
/** Servers by who declares them; scopes without one are left out. */
export const mcpGroups = (rows: readonly McpServerRow[]): McpGroup[] =>
  mcpScopes
    .map((scope) => ({ scope, rows: rows.filter((row) => row.scope === scope) }))
    .filter((group) => group.rows.length > 0);

export type ServerAction = "start" | "stop" | "restart" | "review";
const actions: Readonly<Record<McpStateName, readonly ServerAction[]>> = {
  disabled: [],
  untrusted: [],
  needs_approval: ["review"],
  needs_setup: ["start"],
  starting: ["stop"],
  ready: ["restart", "stop"],
  failed: ["restart"],
  exited: ["start"],
  stopped: ["start"],
};
/** What one can do with a server in this state, the likeliest first. */
export const serverActions = (state: McpStateName): readonly ServerAction[] => actions[state];

const urgency: readonly McpStateName[] = ["failed", "needs_approval", "needs_setup", "exited"];
/** The server that wants to be looked at first. */
export const firstToSee = (rows: readonly McpServerRow[]): McpServerRow | undefined =>
  urgency.map((state) => rows.find((row) => row.state === state)).find((row) => row !== undefined) ?? rows[0];

/** The one line under a server's name: why it does not work, else what it starts. */
export const serverLine = ({ state, stderr, error, command }: McpServerRow): string => {
  const isBroken = state === "failed" || state === "exited" || state === "needs_setup";
  return (isBroken ? stderr || error : undefined) ?? command.join(" ");
};
