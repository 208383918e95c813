export const mcpStates = [
  "disabled",
  "untrusted",
  "needs_approval",
  "needs_setup",
  "starting",
  "ready",
  "failed",
  "exited",
  "stopped",
] as const;
export type McpStateName = (typeof mcpStates)[number];
export type McpTransport = "stdio" | "sse" | "streamable_http";

/** One server's state (spec 6, Lifecycle). Written by `electron/host/mcp/server.ts` alone. */
export type McpState =
  | { readonly name: "disabled" | "untrusted" | "needs_approval" | "stopped" }
  | { readonly name: "needs_setup"; readonly missing: readonly string[] }
  | { readonly name: "starting"; readonly since: number }
  | { readonly name: "ready"; readonly startMs: number }
  | { readonly name: "failed" | "exited"; readonly error: string; readonly stderr: string };

/** `error` and `stderr` (its last line) exist where something went wrong (cli.md, `mcp list`). */
export interface McpServerRow {
  readonly id: string;
  readonly name: string;
  readonly transport: McpTransport;
  readonly state: McpStateName;
  readonly toolCount: number;
  readonly tools: readonly string[];
  readonly error?: string;
  readonly stderr?: string;
  readonly origin: string;
  readonly scope: "user" | "workspace" | "plugin";
  readonly startMs?: number;
  /** What starts: one element an argument, variables unresolved; a url for remote ones. */
  readonly command: readonly string[];
  readonly enabled: boolean;
  /** Where it is to run in the OS sandbox (`sandbox: true`). */
  readonly confined?: true;
  /** Whose server of the same name counts instead, as its `origin`. */
  readonly shadowedBy?: string;
}
export type McpEvent =
  | { readonly type: "McpServerStarting"; readonly name: string }
  | { readonly type: "McpServerReady"; readonly name: string; readonly toolCount: number }
  | { readonly type: "McpServerStopped"; readonly name: string }
  | {
      readonly type: "McpServerFailed";
      readonly name: string;
      readonly code: string;
      readonly reason: string;
      readonly stderr: string;
    };
