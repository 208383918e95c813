import { NacreError, type ErrorCode } from "../../../shared/errors.ts";
import type { McpState } from "../../../shared/mcp.ts";
import { describe } from "./call-errors.ts";
import type { StdioTransport } from "./stdio-transport.ts";

/** Why a start failed: `code` for the event, `reason` in words. */
export interface Failure {
  readonly code: ErrorCode | "exited";
  readonly reason: string;
}
/** `timedOut`: the start's own time limit ran out. */
export function startFailure(
  error: unknown,
  transport: StdioTransport | undefined,
  timedOut: boolean,
  timeoutMs: number,
): Failure {
  if (timedOut) return { code: "timeout", reason: `did not become ready within ${timeoutMs / 1000} s` };
  if (transport?.fault !== undefined)
    return { code: "exited", reason: `${transport.fault} before it was ready` };
  if (error instanceof NacreError) return { code: error.code, reason: error.message };
  return { code: "unavailable", reason: `the handshake failed: ${describe(error)}` };
}

/** What a call to a server that is not ready is told, at once; with the last line of its standard error (spec 6). */
export function notReadyError(name: string, state: McpState): NacreError {
  const server = `the MCP server "${name}"`;
  switch (state.name) {
    case "failed":
    case "exited":
      return new NacreError(
        "unavailable",
        `${server} ${state.name === "failed" ? "failed" : "is gone"}: ${state.error}${state.stderr === "" ? "" : `: ${state.stderr}`}; /mcp restart ${name} starts it again`,
      );
    case "needs_setup":
      return new NacreError(
        "needs_setup",
        state.reason ?? `${server} needs ${state.missing.join(", ")}; set it in the environment`,
      );
    case "disabled":
      return new NacreError("denied", `${server} is switched off; /mcp enable ${name} switches it on`);
    case "untrusted":
      return new NacreError(
        "not_trusted",
        `${server} belongs to a workspace that is not trusted: /plugins trust`,
      );
    case "needs_approval":
      return new NacreError(
        "not_trusted",
        `${server} is new or changed and waits for approval: /plugins trust`,
      );
    case "stopped":
    case "starting":
    case "ready":
      // Ready or starting: it is just being stopped.
      return new NacreError("unavailable", `${server} is stopped; /mcp restart ${name} starts it`);
  }
}
