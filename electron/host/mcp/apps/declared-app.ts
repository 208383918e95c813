import { isObject } from "../../../../shared/json.ts";
import { isAppUri, type McpAppRef } from "../../../../shared/mcp-app.ts";
import type { McpToolDefinition } from "../types.ts";

type Declares = Pick<McpToolDefinition, "meta">;
const uiOf = ({ meta }: Declares): Readonly<Record<string, unknown>> =>
  isObject(meta?.["ui"]) ? meta["ui"] : {};

/** The app that shows a tool's calls (MCP Apps, `_meta.ui.resourceUri`, before that `ui/resourceUri`). */
export function appOf(
  { name: server, id: serverId }: { readonly name: string; readonly id: string },
  tool: Declares,
): McpAppRef | undefined {
  const uri = uiOf(tool)["resourceUri"] ?? tool.meta?.["ui/resourceUri"];
  return isAppUri(uri) ? { server, serverId, uri } : undefined;
}

/** Whether apps may call a tool; they may where the server says nothing (`_meta.ui.visibility`). */
export function isForApps(tool: Declares): boolean {
  const visibility = uiOf(tool)["visibility"];
  return !Array.isArray(visibility) || visibility.includes("app");
}
