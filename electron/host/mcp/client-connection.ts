import { setMaxListeners } from "node:events";
import { NacreError } from "../../../shared/errors.ts";
import type { JsonObject } from "../../../shared/json.ts";
import type { McpTransport } from "../../../shared/mcp.ts";
import { untilAborted } from "../kit/abort.ts";
import { isServerAnswer, isSessionLost, toCallError } from "./call-errors.ts";
import { withSignIn, type SignIn } from "./oauth/sign-in.ts";
import { paramHeaders } from "./param-headers.ts";
import { listAllTools } from "./tool-list.ts";
import { readCallResult } from "./tool-result.ts";
import type { Connection, McpCallOptions, McpCallResult, ToolListing } from "./types.ts";

/** For a new session in place of a lost one, ms. */
const renewalLimit = 30_000;
/** Longer than any timer of ours: time limits are kept outside of the library, by signals. */
export const unlimited = 2 ** 31 - 1;

export interface RequestOptions {
  readonly signal: AbortSignal;
  /** ms. */
  readonly timeout: number;
  readonly resetTimeoutOnProgress?: boolean;
  readonly onprogress?: (progress: {
    readonly progress: number;
    readonly total?: number | undefined;
    readonly message?: string | undefined;
  }) => void;
  readonly headers?: Readonly<Record<string, string>>;
}
/** One session with a server, as the client library opened it. */
export interface Opened {
  readonly transport: McpTransport;
  readonly protocol: string;
  readonly instructions: string;
  readonly capabilities: JsonObject;
  readonly serverInfo: Connection["serverInfo"];
  /** Arguments go into headers too (MCP 2026-07-28, Streamable HTTP). */
  readonly mirrorsArguments: boolean;
  /** Resolves when the session is over. */
  readonly ended: Promise<void>;
  request(method: string, params: JsonObject, options: RequestOptions): Promise<unknown>;
  notify(method: string, params: JsonObject): Promise<void>;
  /** Says farewell where there is a session, and ends it. Never rejects. */
  close(): Promise<void>;
}
export interface ConnectionPorts {
  /** The server's name, for messages. */
  readonly name: string;
  /** Opens a new session in place of one that the server forgot. */
  readonly reopen?: (signal: AbortSignal) => Promise<Opened>;
  /** For a server that wants its user signed in. */
  readonly signIn?: SignIn | undefined;
}

/** What the rest of the room holds of a server: its tools and calls, through whichever session is open. */
export class ClientConnection implements Connection {
  readonly closed: Promise<void>;
  readonly #ports: ConnectionPorts;
  #opened: Opened;
  #renewing: Promise<void> | undefined;
  #finish: () => void = () => undefined;
  #headers: ToolListing["headers"] = new Map();

  constructor(opened: Opened, ports: ConnectionPorts) {
    this.#ports = ports;
    this.#opened = opened;
    this.closed = new Promise((resolve) => (this.#finish = resolve));
    this.#watch(opened);
  }
  get transport(): McpTransport {
    return this.#opened.transport;
  }
  get protocol(): string {
    return this.#opened.protocol;
  }
  get instructions(): string {
    return this.#opened.instructions;
  }
  get capabilities(): JsonObject {
    return this.#opened.capabilities;
  }
  get serverInfo(): Connection["serverInfo"] {
    return this.#opened.serverInfo;
  }
  async listTools(signal: AbortSignal): Promise<ToolListing> {
    const listing = await listAllTools(
      (cursor) =>
        this.#request("tools/list", cursor === undefined ? {} : { cursor }, { signal, timeout: unlimited }),
      this.#opened.mirrorsArguments,
    );
    this.#headers = listing.headers;
    return listing;
  }
  async call(
    tool: string,
    input: JsonObject,
    options: McpCallOptions & { readonly timeoutMs: number },
    signal: AbortSignal,
  ): Promise<McpCallResult> {
    const headers = paramHeaders(this.#headers.get(tool) ?? [], input);
    const sent = { ...requestOptions(options, signal), headers };
    try {
      return readCallResult(await this.#request("tools/call", { name: tool, arguments: input }, sent));
    } catch (error) {
      signal.throwIfAborted();
      if (isServerAnswer(error))
        return {
          content: [{ type: "text", text: `MCP error ${error.code}: ${error.message}` }],
          isError: true,
        };
      throw toCallError(error, `the tool "${tool}" of "${this.#ports.name}"`, options.timeoutMs);
    }
  }
  async request(
    method: string,
    params: JsonObject,
    options: McpCallOptions & { readonly timeoutMs: number },
    signal: AbortSignal,
  ): Promise<unknown> {
    try {
      return await this.#request(method, params, requestOptions(options, signal));
    } catch (error) {
      signal.throwIfAborted();
      const { name } = this.#ports;
      if (isServerAnswer(error))
        throw new NacreError("invalid_input", `"${name}" answered ${method}: ${error.message}`, {
          cause: error,
        });
      throw toCallError(error, `${method} of "${name}"`, options.timeoutMs);
    }
  }
  async notify(method: string, params: JsonObject): Promise<void> {
    await this.#opened.notify(method, params);
  }
  async close(): Promise<void> {
    this.#ports.signIn?.close();
    await this.#opened.close();
    this.#finish();
  }
  #watch(opened: Opened): void {
    void opened.ended.then(() => {
      if (this.#opened === opened) this.#finish();
    });
  }
  async #request(method: string, params: JsonObject, options: RequestOptions): Promise<unknown> {
    const { signIn, reopen } = this.#ports;
    return withSignIn(signIn, options.signal, async () => {
      const used = this.#opened;
      try {
        return await used.request(method, params, options);
      } catch (error) {
        if (!reopen || options.signal.aborted || !isSessionLost(error)) throw error;
        await this.#renew(used, reopen, options.signal);
        return this.#opened.request(method, params, options);
      }
    });
  }
  /** Opens a new session in place of one that the server forgot; callers that meet the same loss share one. */
  async #renew(
    lost: Opened,
    reopen: (signal: AbortSignal) => Promise<Opened>,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.#opened !== lost) return;
    this.#renewing ??= reopen(AbortSignal.timeout(renewalLimit))
      .then(async (opened) => {
        this.#opened = opened;
        this.#watch(opened);
        await lost.close();
      })
      .finally(() => (this.#renewing = undefined));
    await untilAborted(this.#renewing, signal);
  }
}

/** @throws the signal's reason */
function requestOptions(
  { onOutput, timeoutMs }: McpCallOptions & { readonly timeoutMs: number },
  signal: AbortSignal,
): RequestOptions {
  signal.throwIfAborted();
  // Many calls may run under one signal; Node would warn of so many listeners.
  setMaxListeners(0, signal);
  return {
    signal,
    timeout: timeoutMs,
    resetTimeoutOnProgress: true,
    // Without a listener no progress is asked for, and a long call would run into its limit.
    onprogress: ({ progress, total, message }) => {
      const share = total === undefined ? String(progress) : `${progress}/${total}`;
      onOutput?.(message === undefined ? `${share}\n` : `${message} (${share})\n`);
    },
  };
}
