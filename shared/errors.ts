/**
 * The closed set of error codes that cross a boundary (rpc result, command line, tool result).
 * A new code is added here first: every boundary maps it exhaustively.
 */
export type ErrorCode =
  | "invalid_input"
  | "unknown_method"
  | "not_found"
  | "already_exists"
  | "denied"
  | "not_trusted"
  | "needs_setup"
  | "unavailable"
  | "timeout"
  | "stopped"
  | "locked"
  | "io"
  | "network"
  | "model"
  | "configuration"
  | "internal";

/** An error as it crosses a boundary: a value, never a class. `data` is JSON. */
export interface ErrorValue {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data?: unknown;
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ErrorValue };

/**
 * The one exception of the app. The message says what happened, to what, and what to do.
 * `cause` keeps the original for the log; it never crosses a boundary.
 */
export class NacreError extends Error {
  override readonly name = "NacreError";
  readonly code: ErrorCode;
  readonly data: unknown;
  constructor(code: ErrorCode, message: string, options: { cause?: unknown; data?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }
}

const ioCodes = new Set([
  "EACCES",
  "EPERM",
  "ENOSPC",
  "EROFS",
  "EMFILE",
  "ENFILE",
  "EIO",
  "EDQUOT",
  "EISDIR",
]);

const text = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** The one place where an unknown throwable becomes an error value. Abort reasons count as `stopped`. */
export function toErrorValue(thrown: unknown): ErrorValue {
  if (thrown instanceof NacreError)
    return {
      code: thrown.code,
      message: thrown.message,
      ...(thrown.data === undefined ? {} : { data: thrown.data }),
    };
  if (thrown instanceof Error) {
    if (thrown.name === "AbortError") return { code: "stopped", message: "stopped by the user" };
    if (thrown.name === "TimeoutError") return { code: "timeout", message: thrown.message };
    const code = (thrown as { code?: unknown }).code;
    if (code === "ENOENT") return { code: "not_found", message: thrown.message };
    if (typeof code === "string" && ioCodes.has(code)) return { code: "io", message: thrown.message };
  }
  return { code: "internal", message: text(thrown) };
}

/** Marks a branch that the types rule out. */
export function assertNever(value: never): never {
  throw new NacreError("internal", `unexpected value: ${JSON.stringify(value)}`);
}
