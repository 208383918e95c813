import { longestAppMessage } from "../../../shared/mcp-app.ts";
import type { ToolOutput } from "../tools/types.ts";

/**
 * What an app is told of a call: the server's result (MCP, `CallToolResult`) as JSON. Undefined where the server gave none:
 * the call was denied, stopped, or failed before it came to the server.
 */
export function resultForApp({
  content,
  structuredContent,
  meta,
  isError,
}: Pick<ToolOutput, "content" | "structuredContent" | "meta" | "isError">): string | undefined {
  if (content === undefined) return undefined;
  const text = JSON.stringify({
    content,
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(meta === undefined ? {} : { _meta: meta }),
    isError,
  });
  if (text.length <= longestAppMessage) return text;
  const told = `the result is too long for an app: ${text.length} characters`;
  return JSON.stringify({ content: [{ type: "text", text: told }], isError: true });
}
