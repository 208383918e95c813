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
  /** `reason`: where it is no name that is missing, but a sign-in. */
  | { readonly name: "needs_setup"; readonly missing: readonly string[]; readonly reason?: string }
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
  /** What the definitions of the tools that are on cost in a request that holds them all, in tokens, estimated. */
  readonly tokens?: number;
  /** Tools that are held back, as their definitions are not those that were approved. */
  readonly changedTools?: number;
  /** Tools that came after the server's first list and that nobody has looked at yet. */
  readonly newTools?: number;
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
  /** The name for people, where the server gives one. */
  readonly title?: string;
  /** What the server says of it, unproven and without effect: `only reads`, `may destroy`. */
  readonly hints?: readonly string[];
  /** It came after the server's first list: it is offered, and approving it by this digest takes the mark away. */
  readonly added?: { readonly digest: string };
  /** Of a changed one: both definitions as text, and the digest that approving it names. */
  readonly change?: { readonly digest: string; readonly before: string; readonly after: string };
}
export interface McpResourceRow {
  readonly server: string;
  readonly uri: string;
  /** What a message says to attach it: `@docs:file:///a.md`. */
  readonly mention: string;
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
  /** As the mention of a resource, with the template in place of the address: `@docs:file:///{path}`. */
  readonly mention: string;
  /** The variables of the template, in order, for a form and for `mcp.complete`. */
  readonly variables: readonly string[];
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
/** What one start of a server showed (`mcp.test`). */
export interface McpTestResult {
  readonly state: McpStateName;
  readonly error?: string;
  /** As it calls itself. */
  readonly title: string;
  readonly version: string;
  readonly protocol: string;
  readonly transport: McpTransport;
  readonly tools: readonly { readonly name: string; readonly description: string; readonly tokens: number }[];
  /** What was wrong with its list, one line each. */
  readonly problems: readonly string[];
  /** The last lines of its standard error. */
  readonly stderr: readonly string[];
  /** From its start to its end, ms. */
  readonly durationMs: number;
}
export const mcpImportClients = [
  "claude-desktop",
  "claude-code",
  "cursor",
  "vscode",
  "codex",
  "gemini",
  "opencode",
] as const;
export type McpImportClient = (typeof mcpImportClients)[number];
/** One server in a file of another client (`mcp.importable`). Values of variables and headers are masked. */
export interface McpImportRow {
  /** Of `mcp.import`; the same as long as the entry stands as it is. */
  readonly id: string;
  readonly client: McpImportClient;
  /** `Claude Desktop` */
  readonly clientName: string;
  readonly file: string;
  /** The folder for which the client keeps it; absent where it counts everywhere. */
  readonly project?: string;
  readonly name: string;
  readonly transport: McpTransport;
  /** What would start: one element an argument; a url for remote ones. */
  readonly command: readonly string[];
  /** Names of the variables and headers that it brings. */
  readonly brings: readonly string[];
  /** What cannot be taken over or was translated, in words, one line each. */
  readonly notes: readonly string[];
  /** `present`: the same stands among the user's servers. `renamed`: the name is taken by another, `as` is used. `unusable`: `notes` say why. */
  readonly state: "new" | "present" | "renamed" | "unusable";
  /** The name that it would get here. */
  readonly as: string;
}
/** One file of another client that exists on this machine. */
export interface McpImportFile {
  readonly client: McpImportClient;
  readonly clientName: string;
  readonly file: string;
  readonly servers: number;
  /** Why it could not be read. */
  readonly error?: string;
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
