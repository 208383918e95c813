import type { Caller, Tool, ToolCallResult } from "./types.ts";

/** A call as hooks see it: its arguments are valid, and frozen. */
export interface InterceptedCall {
  readonly id: string;
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
}
interface Interception {
  /** Replaces the arguments; they are coerced, validated and judged anew. */
  readonly input?: unknown;
  readonly decision?: "allow" | "ask" | "deny";
  readonly reason?: string;
  /** Which hook it was. */
  readonly name?: string;
}
/** What stands around every call (hooks). One that throws keeps the call from running. */
export interface Interceptor {
  before?(call: InterceptedCall, signal: AbortSignal): Promise<Interception>;
  /** Gives the result that counts, the same or another. */
  after?(call: InterceptedCall, result: ToolCallResult, signal: AbortSignal): Promise<ToolCallResult>;
}

/** The strictest verdict of all, and the arguments as the last one left them. */
export interface Intercepted {
  readonly input: Readonly<Record<string, unknown>>;
  readonly hook?: { readonly answer: "allow" | "ask" | "deny"; readonly name: string };
  readonly reason?: string;
}
const strictness = { allow: 0, ask: 1, deny: 2 } as const;

/**
 * Asks each interceptor in turn; what one changed goes through `prepare` before the next one sees it.
 * Deny > ask > allow (spec 5, Hooks); after a deny nobody else is asked.
 * @throws what `prepare` throws for arguments that are not valid
 */
export async function interceptBefore(
  interceptors: readonly Interceptor[],
  call: InterceptedCall,
  prepare: (input: unknown) => Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Intercepted> {
  let result: Intercepted = { input: call.input };
  for (const interceptor of interceptors) {
    const found = await interceptor.before?.({ ...call, input: result.input }, signal);
    signal.throwIfAborted();
    if (found === undefined) continue;
    if (found.input !== undefined) result = { ...result, input: prepare(found.input) };
    const { decision } = found;
    if (decision === undefined) continue;
    if (result.hook !== undefined && strictness[result.hook.answer] >= strictness[decision]) continue;
    const { input } = result;
    const hook = { answer: decision, name: found.name ?? "hook" };
    result = { input, hook, ...(found.reason === undefined ? {} : { reason: found.reason }) };
    if (decision === "deny") break;
  }
  return result;
}
