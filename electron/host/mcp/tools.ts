import { NacreError } from "../../../shared/errors.ts";
import { visibleName } from "../../../shared/visible-text.ts";
import type { McpServerConfig } from "../config/types.ts";
import type { McpAppRef } from "../../../shared/mcp-app.ts";
import type { Tool } from "../tools/types.ts";
import { handedResult } from "./handed-result.ts";
import { declaredTransport } from "./launch.ts";
import { isAppOnly } from "./pins.ts";
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

export interface McpToolOptions {
  /** Counts as a read; absent: where the file says so (`autoApprove`). */
  readonly approved?: boolean;
  /** The app that shows its calls. */
  readonly app?: McpAppRef | undefined;
  /** Writes a text beside a conversation and gives its path, as `read_file` takes it. */
  readonly keepText?: ((sessionId: string, text: string) => string) | undefined;
}
/** A server's tool as the model and everybody else can call it (spec 6): class `net`, `read` where the file approves it. */
export function mcpTool(
  server: string,
  name: string,
  definition: McpToolDefinition,
  config: McpServerConfig,
  call: CallTool,
  { approved = isAutoApproved(config, definition.name), app, keepText }: McpToolOptions = {},
): Tool {
  return {
    name,
    title: toolTitle(server, definition.name),
    description: definition.description,
    perm: approved ? "read" : "net",
    origin: { kind: "mcp", owner: server },
    inputSchema: definition.inputSchema,
    foreignSchema: true,
    ...(app === undefined ? {} : { app }),
    ...(isAppOnly(definition) ? { hidden: "app_only" as const } : {}),
    run: async (input, run) => {
      const options = { onOutput: (text: string) => run.onOutput(text) };
      const whole = toToolOutput(await call(definition.name, input, options, run.signal));
      const { sessionId } = run;
      // Outside of any conversation there is no model that could read on; an app is shown the whole.
      const output =
        sessionId === null || !keepText || app !== undefined
          ? whole
          : handedResult(whole, (text) => keepText(sessionId, text));
      // The call starts no process, but what it reaches may run confined.
      return isConfined(config) ? { ...output, sandboxed: true } : output;
    },
  };
}
/** What stands in the place of a tool whose definition changed: it tells so, and nothing of the new definition. */
export function heldBackTool(server: string, name: string, tool: string): Tool {
  const title = toolTitle(server, tool);
  const reason = heldBackReason(server, tool);
  return {
    name,
    title,
    description: `held back: ${reason}`,
    perm: "net",
    origin: { kind: "mcp", owner: server },
    inputSchema: { type: "object" },
    foreignSchema: true,
    hidden: "held_back",
    cannot: () => reason,
    run: () => Promise.reject(new NacreError("denied", reason)),
  };
}
/** Why a tool is not called, and what to do. */
export const heldBackReason = (server: string, tool: string): string =>
  `${toolTitle(server, tool)} is not what was approved: its server changed its definition. A person looks at both and approves it, in Settings, MCP servers, or with /mcp approve ${visibleName(server)}`;
