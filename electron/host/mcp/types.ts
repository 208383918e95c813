import type { ClientCapabilities } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../../shared/json.ts";
import type { McpTransport } from "../../../shared/mcp.ts";
import type { ParamHeader } from "./param-headers.ts";

/** One tool as a server describes it. */
export interface McpToolDefinition {
  readonly name: string;
  readonly description: string;
  /** As it came; an empty object schema where the server gave none. */
  readonly inputSchema: JsonObject;
  /** The name for people, where the server gives one. */
  readonly title?: string;
  /** The server's own hints (`readOnlyHint`, …): shown, and never what decides anything. */
  readonly annotations?: JsonObject;
  /** Its `_meta` as it came: `ui`, … */
  readonly meta?: JsonObject;
}
/** All pages of `tools/list`, and what was wrong with them. */
export interface ToolListing {
  readonly tools: readonly McpToolDefinition[];
  /** One line each: which tool, what is wrong, what was done. */
  readonly problems: readonly string[];
  /** Which arguments go into headers too, by tool; empty where the transport has none. */
  readonly headers: ReadonlyMap<string, readonly ParamHeader[]>;
  /** Tools that are done as tasks alone (MCP 2025-11-25, `execution.taskSupport`). */
  readonly taskTools: ReadonlySet<string>;
}
/** The answer of `tools/call`, read leniently. */
export interface McpCallResult {
  readonly content: readonly JsonObject[];
  readonly structuredContent?: unknown;
  /** `_meta`: for the server's own app. */
  readonly meta?: JsonObject;
  readonly isError: boolean;
}
export interface McpCallOptions {
  /** Progress of the call, one line each. */
  readonly onOutput?: (text: string) => void;
}
/** A server that answered the handshake. */
export interface Connection {
  readonly transport: McpTransport;
  /** The revision spoken: `2025-11-25`. */
  readonly protocol: string;
  /** What the server tells the model, where it does. */
  readonly instructions?: string;
  /** What the server says that it can, as it came: `tools`, `resources`, `prompts`, `completions`, `extensions`, … */
  readonly capabilities: JsonObject;
  /** As the server calls itself; several may call themselves the same. */
  readonly serverInfo: { readonly name: string; readonly version: string };
  /** Resolves when the server is gone, asked or unasked. Never rejects. */
  readonly closed: Promise<void>;
  listTools(signal: AbortSignal): Promise<ToolListing>;
  /**
   * `timeoutMs` counts from the last progress; it and `signal` send `notifications/cancelled`.
   * @throws NacreError `timeout`, `unavailable` (gone), `network`, `invalid_input` (the server's own error answer); the signal's reason
   */
  call(
    tool: string,
    input: JsonObject,
    options: McpCallOptions & { readonly timeoutMs: number },
    signal: AbortSignal,
  ): Promise<McpCallResult>;
  /**
   * Any other request, its answer as it came: callers read it leniently. Session loss and sign-in are dealt with as in `call`.
   * `timeoutMs` counts from the last progress. @throws NacreError as `call`, and `invalid_input` for the server's own error answer
   */
  request(
    method: string,
    params: JsonObject,
    options: McpCallOptions & { readonly timeoutMs: number },
    signal: AbortSignal,
  ): Promise<unknown>;
  /** Tells the server something: `notifications/roots/list_changed`. Never rejects. */
  notify(method: string, params: JsonObject): Promise<void>;
  /** Ends it and waits until nothing of it is left; twice is fine. Never rejects. */
  close(): Promise<void>;
}
/** What a connection tells while it lives. */
export interface ConnectionEvents {
  /** One of the server's lists changed. */
  onListChanged(list: "tools" | "resources" | "prompts"): void;
  /** A resource that was subscribed to changed. */
  onResourceUpdated(uri: string): void;
  /** Something for the server's log: a line that is no JSON-RPC, a notice of the protocol. */
  onNote(text: string): void;
  /** A person is waited for: time limits stand still until the function that it gives is called. */
  onWait(): () => void;
}
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
  /** What it speaks beyond the protocol's core, with the settings of each (`capabilities.extensions`). */
  readonly extensions?: NonNullable<ClientCapabilities["extensions"]>;
}
