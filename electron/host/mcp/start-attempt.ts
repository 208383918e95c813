import { NacreError } from "../../../shared/errors.ts";
import type { McpDeclaration } from "../config/types.ts";
import { confinementFailure } from "../policy/confinement-failure.ts";
import type { SpawnSpec } from "../kit/process.ts";
import type { McpEvent } from "../../../shared/mcp.ts";
import { Deadline } from "./deadline.ts";
import { type Launch, resolveLaunch, startupTimeoutMs } from "./launch.ts";
import type { Limiter } from "./limiter.ts";
import {
  type ConfinedServer,
  openServer,
  type Opened,
  type OpenPorts,
  type OpenRequest,
  serverSpec,
} from "./open-server.ts";
import { startFailure, type Failure } from "./server-errors.ts";
import { SignInNeeded } from "./oauth/sign-in.ts";
import type { StdioTransport } from "./stdio-transport.ts";
import type { ToolCache } from "./tool-cache.ts";
import type { ConnectionEvents, ToolListing } from "./types.ts";

export type Gate = "open" | "disabled" | "untrusted" | "needs_approval";

export interface ServerPorts extends OpenPorts {
  /** Asked with the very declaration that is started, right before it is. */
  readonly gate: (declaration: McpDeclaration) => Gate;
  readonly secret: (name: string) => Promise<string | undefined>;
  readonly maskSecret: (value: string) => void;
  readonly limiter: Limiter;
  readonly restartDelaysMs: readonly number[];
  readonly cache: Pick<ToolCache, "read" | "write">;
  /** Asked right before a call reaches the server: what was offered may be another tool since it started. @throws NacreError */
  readonly permit: (tool: string) => void;
  /** The state or the tools changed. */
  readonly onChange: () => void;
  readonly onEvent: (event: McpEvent) => void;
  /** A ready server's list of resources or prompts changed. */
  readonly onListChanged: (list: "resources" | "prompts") => void;
  readonly onResourceUpdated: (uri: string) => void;
}

/** What became of one start. `aborted`: somebody asked it to stop, and nothing of it is left. */
export type StartOutcome =
  | { readonly kind: "ready"; readonly opened: Opened; readonly listing: ToolListing }
  | { readonly kind: "closed"; readonly gate: Exclude<Gate, "open"> }
  | { readonly kind: "needs_setup"; readonly missing: readonly string[]; readonly reason?: string }
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "aborted" };

/**
 * Resolves a declaration, asks the gate once more, starts the server, shakes hands and lists its tools, all within its
 * startup time, in which the time of a person who signs in does not count. Leaves nothing behind where it does not become ready. Never rejects.
 */
export async function attemptStart(
  declaration: McpDeclaration,
  asked: Pick<OpenRequest, "id" | "log"> & { readonly events: Omit<ConnectionEvents, "onWait"> },
  ports: ServerPorts,
  stop: AbortSignal,
): Promise<StartOutcome> {
  const limit = startupTimeoutMs(declaration.config);
  const deadline = new Deadline(limit);
  const signal = AbortSignal.any([stop, deadline.signal]);
  const request = { ...asked, events: { ...asked.events, onWait: () => deadline.pause() } };
  let transport: StdioTransport | undefined;
  let opened: Opened | undefined;
  let confined: ConfinedServer | undefined;
  // What watches over a confined server ends with it, however far it came.
  const unwatch = async (): Promise<void> => {
    await transport?.closed;
    await confined?.ended();
  };
  try {
    const plan = await resolveLaunch(declaration, ports.env, ports.secret);
    signal.throwIfAborted();
    if (plan.kind === "needs_setup") return plan;
    if (plan.kind === "invalid")
      return { kind: "failed", failure: { code: "configuration", reason: plan.reason } };
    for (const value of plan.secrets) ports.maskSecret(value);
    const { launch } = plan;
    const { name } = declaration;
    const plain = serverSpec(launch, ports);
    if (declaration.config.sandbox) confined = await confine(declaration, launch, plain, request, ports);
    signal.throwIfAborted();
    // Nothing is awaited between this look and the start of what was looked at.
    const gate = ports.gate(declaration);
    if (gate !== "open") {
      await unwatch();
      return { kind: "closed", gate };
    }
    const onTransport = (child: StdioTransport): void => void (transport = child);
    const spec = confined?.spec ?? plain;
    opened = await openServer(
      { ...request, name, spec, launch, startupMs: limit, onTransport },
      ports,
      signal,
    );
    const listing = await opened.connection.listTools(signal);
    void unwatch();
    return { kind: "ready", opened, listing };
  } catch (error) {
    await opened?.connection.close();
    await unwatch();
    if (stop.aborted) return { kind: "aborted" };
    const unstarted = confined && transport?.fault && confinementFailure(request.log.lastStderr, 1);
    if (unstarted) return { kind: "failed", failure: { code: "unavailable", reason: unstarted } };
    if (error instanceof SignInNeeded) return { kind: "needs_setup", missing: [], reason: error.message };
    return { kind: "failed", failure: startFailure(error, transport, deadline.signal.aborted, limit) };
  } finally {
    deadline.stop();
  }
}

/** Undefined for a remote server, which runs elsewhere. @throws NacreError `unavailable` where nothing can run confined */
async function confine(
  declaration: McpDeclaration,
  launch: Launch,
  spec: SpawnSpec | undefined,
  { id, events }: Pick<OpenRequest, "id" | "events">,
  ports: OpenPorts,
): Promise<ConfinedServer | undefined> {
  if (spec === undefined || launch.kind === "http") {
    events.onNote("sandbox has no meaning for a remote server and is ignored");
    return undefined;
  }
  if (!ports.confine)
    throw new NacreError(
      "unavailable",
      "it asks for a sandbox, and nothing can run confined here; set sandbox to false",
    );
  return ports.confine(spec, { id, declaration, env: launch.env });
}
