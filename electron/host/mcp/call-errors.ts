import { NacreError } from "../../../shared/errors.ts";
import { isObject } from "../../../shared/json.ts";
import { cutEnd } from "../../../shared/visible-text.ts";

// The client library's errors are told apart by their fields: its classes are loaded with it, and this file is not.

/** The chain of an error and its causes. */
function chain(error: unknown): unknown[] {
  const links: unknown[] = [];
  for (let link = error; link instanceof Error && links.length < 8; link = link.cause) links.push(link);
  return links.length === 0 ? [error] : links;
}
const field = (error: unknown, name: string): unknown =>
  error instanceof Error ? (error as Error & Record<string, unknown>)[name] : undefined;

/** The HTTP status that an error tells of. */
export function httpStatus(error: unknown): number | undefined {
  for (const link of chain(error)) {
    // The library's error for a 403 that asks for scopes.
    if (link instanceof Error && "requiredScope" in link) return 403;
    const data = field(link, "data");
    const candidates = [
      isObject(data) ? data["status"] : undefined,
      field(link, "status"),
      field(link, "code"),
    ];
    const status = candidates.find((value) => typeof value === "number" && value >= 100 && value < 600);
    if (typeof status === "number") return status;
  }
  return undefined;
}
/** True where the server forgot the session: 404, or the 400 of servers that say so in words (MCP 2025-11-25, Session Management). */
export function isSessionLost(error: unknown): boolean {
  const status = httpStatus(error);
  return status === 404 || (status === 400 && chain(error).some((link) => /session/i.test(messageOf(link))));
}
/** The server's own error answer: its JSON-RPC code is a number. */
export const isServerAnswer = (error: unknown): error is Error & { readonly code: number } =>
  error instanceof Error && typeof field(error, "code") === "number" && httpStatus(error) === undefined;
/** The server wants other headers than its tools declared when they were listed (MCP 2026-07-28, -32020). */
export const isHeaderMismatch = (error: unknown): boolean =>
  chain(error).some((link) => field(link, "code") === -32020);
/** What a server's error answer says, bounded. */
export const serverWords = (error: Error): string => cutEnd(error.message, 4000).kept;
/** Neither an answer nor a status came back. */
export const isNetworkFailure = (error: unknown): boolean =>
  chain(error).some(
    (link) => link instanceof TypeError || /^(E[A-Z]+|UND_ERR_\w+)$/.test(String(field(link, "code"))),
  );

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** An error in one line, with the cause that a failed fetch hides: `fetch failed: connect ECONNREFUSED 127.0.0.1:1`. */
export function describe(error: unknown): string {
  const texts: string[] = [];
  for (const link of chain(error)) {
    const inner = link instanceof AggregateError ? link.errors.map(messageOf).join("; ") : "";
    const text = (messageOf(link) || inner).replaceAll(/\s+/g, " ").trim();
    if (text !== "" && !texts.some((known) => known.includes(text))) texts.push(text);
  }
  return texts.join(": ").slice(0, 1000);
}

/** What a failed request means, in the app's own words. `what` names it: `the tool "search" of "github"`. */
export function toCallError(error: unknown, what: string, timeoutMs: number): NacreError {
  if (error instanceof NacreError) return error;
  const code = field(error, "code");
  if (code === "REQUEST_TIMEOUT")
    return new NacreError(
      "timeout",
      `${what} did not answer within ${timeoutMs / 1000} s and was cancelled`,
      {
        cause: error,
      },
    );
  if (code === "CONNECTION_CLOSED" || code === "NOT_CONNECTED" || code === "SEND_FAILED")
    return new NacreError("unavailable", `${what} cannot be reached: the server is gone`, { cause: error });
  const status = httpStatus(error);
  if (status === 401 || status === 403)
    return new NacreError(
      "needs_setup",
      `${what} was refused with HTTP ${status}; set api_key_env or headers of the server`,
      { cause: error },
    );
  if (status !== undefined)
    return new NacreError("network", `${what} failed with HTTP ${status}: ${describe(error)}`, {
      cause: error,
    });
  if (isNetworkFailure(error))
    return new NacreError("network", `${what} failed: ${describe(error)}`, { cause: error });
  return new NacreError("unavailable", `${what} failed: ${describe(error)}`, { cause: error });
}
