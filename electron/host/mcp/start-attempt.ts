import type { McpDeclaration } from "../config/types.ts";
import type { McpEvent } from "../../../shared/mcp.ts";
import { resolveLaunch, startupTimeoutMs } from "./launch.ts";
import type { Limiter } from "./limiter.ts";
import { openServer, type Opened, type OpenPorts, type OpenRequest } from "./open-server.ts";
import { startFailure, type Failure } from "./server-errors.ts";
import type { StdioTransport } from "./stdio-transport.ts";
import type { ToolCache } from "./tool-cache.ts";
import type { ToolListing } from "./types.ts";

export type Gate = "open" | "disabled" | "untrusted" | "needs_approval";

export interface ServerPorts extends OpenPorts {
  /** Asked with the very declaration that is started, right before it is. */
  readonly gate: (declaration: McpDeclaration) => Gate;
  readonly secret: (name: string) => Promise<string | undefined>;
  readonly maskSecret: (value: string) => void;
  readonly limiter: Limiter;
  readonly restartDelaysMs: readonly number[];
  readonly cache: ToolCache;
  /** The state or the tools changed. */
  readonly onChange: () => void;
  readonly onEvent: (event: McpEvent) => void;
}

/** What became of one start. `aborted`: somebody asked it to stop, and nothing of it is left. */
export type StartOutcome =
  | { readonly kind: "ready"; readonly opened: Opened; readonly listing: ToolListing }
  | { readonly kind: "closed"; readonly gate: Exclude<Gate, "open"> }
  | { readonly kind: "needs_setup"; readonly missing: readonly string[] }
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "aborted" };

/**
 * Resolves a declaration, asks the gate once more, starts the server, shakes hands and lists its tools, all within its
 * startup time. Leaves nothing behind where it does not become ready. Never rejects.
 */
export async function attemptStart(
  declaration: McpDeclaration,
  request: Pick<OpenRequest, "id" | "log" | "events">,
  ports: ServerPorts,
  stop: AbortSignal,
): Promise<StartOutcome> {
  const limit = startupTimeoutMs(declaration.config);
  const timeout = AbortSignal.timeout(limit);
  const signal = AbortSignal.any([stop, timeout]);
  let transport: StdioTransport | undefined;
  let opened: Opened | undefined;
  try {
    const plan = await resolveLaunch(declaration, ports.env, ports.secret);
    signal.throwIfAborted();
    if (plan.kind === "needs_setup") return plan;
    if (plan.kind === "invalid")
      return { kind: "failed", failure: { code: "configuration", reason: plan.reason } };
    for (const value of plan.secrets) ports.maskSecret(value);
    // Nothing is awaited between this look and the start of what was looked at.
    const gate = ports.gate(declaration);
    if (gate !== "open") return { kind: "closed", gate };
    const { name, config } = declaration;
    const onTransport = (child: StdioTransport): void => void (transport = child);
    opened = await openServer(
      { ...request, name, sandbox: config.sandbox, launch: plan.launch, startupMs: limit, onTransport },
      ports,
      signal,
    );
    return { kind: "ready", opened, listing: await opened.connection.listTools(signal) };
  } catch (error) {
    await opened?.connection.close();
    if (stop.aborted) return { kind: "aborted" };
    return { kind: "failed", failure: startFailure(error, transport, timeout.aborted, limit) };
  }
}
