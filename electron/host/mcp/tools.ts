import type { McpServerConfig } from "../config/types.ts";
import type { McpAppRef } from "../../../shared/mcp-app.ts";
import type { Tool } from "../tools/types.ts";
import { declaredTransport } from "./launch.ts";
import { isAutoApproved, toolTitle } from "./tool-names.ts";
import { toToolOutput } from "./tool-result.ts";
import type { McpCallOptions, McpCallResult, McpToolDefinition } from "./types.ts";

export type CallTool = (
  tool: string,
  input: Readonly<Record<string, unknown>>,
  options: McpCallOptions,
  signal: AbortSignal,
) => Promise<McpCallResult>;

const isConfined = (config: McpServerConfig): boolean =>
  config.sandbox && declaredTransport(config) === "stdio";

/** A server's tool as the model and everybody else can call it (spec 6): class `net`, `read` where the file approves it. */
export function mcpTool(
  server: string,
  name: string,
  definition: McpToolDefinition,
  config: McpServerConfig,
  call: CallTool,
  app?: McpAppRef,
): Tool {
  return {
    name,
    title: toolTitle(server, definition.name),
    description: definition.description,
    perm: isAutoApproved(config, definition.name) ? "read" : "net",
    origin: { kind: "mcp", owner: server },
    inputSchema: definition.inputSchema,
    foreignSchema: true,
    ...(app === undefined ? {} : { app }),
    run: async (input, run) => {
      const options = { onOutput: (text: string) => run.onOutput(text) };
      const output = toToolOutput(await call(definition.name, input, options, run.signal));
      // The call starts no process, but what it reaches may run confined.
      return isConfined(config) ? { ...output, sandboxed: true } : output;
    },
  };
}
