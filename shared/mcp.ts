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

/** One tool as its server's panel shows it (`mcp.details`). */
export interface McpToolRow {
  readonly name: string;
  readonly description: string;
  /** `read`, `net`, …; absent where it is not offered. */
  readonly perm?: string;
  /**
   * `changed`: its definition is not the one that was approved, and it is held back until it is approved again. `app_only`: for
   * the server's own app, hidden from the model. `left_out`: it cannot be offered, `note` says why.
   */
  readonly state: "on" | "off" | "changed" | "app_only" | "left_out";
  /** Of `switch.set`. */
  readonly switchId: string;
  /** What its definition costs in each request to the model, in tokens, estimated. */
  readonly tokens: number;
  readonly note?: string;
  /** Of a changed one: both definitions as text, and the digest that approving it names. */
  readonly change?: { readonly digest: string; readonly before: string; readonly after: string };
}
export interface McpResourceRow {
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType?: string;
  /** Bytes, where the server says so. */
  readonly size?: number;
}
export interface McpTemplateRow {
  readonly server: string;
  /** RFC 6570. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType?: string;
}
export interface McpPromptRow {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  /** The slash command that gives it. */
  readonly command: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}
/** What a server is and offers, for its panel. What only a ready one can tell is empty else. */
export interface McpServerDetails {
  /** The revision spoken: `2025-11-25`. */
  readonly protocol: string;
  /** As it calls itself; unlike `name`, several may call themselves the same. */
  readonly title: string;
  readonly version: string;
  readonly instructions: string;
  /** `tools`, `resources`, `prompts`, `completions`, `logging`, … */
  readonly capabilities: readonly string[];
  readonly tools: readonly McpToolRow[];
  readonly resources: readonly McpResourceRow[];
  readonly templates: readonly McpTemplateRow[];
  readonly prompts: readonly McpPromptRow[];
  /** What was wrong with its lists, one line each. */
  readonly problems: readonly string[];
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
