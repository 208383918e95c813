import { setMaxListeners } from "node:events";
import { pathToFileURL } from "node:url";
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type ClientCapabilities,
  type RequestOptions,
  type Transport,
} from "@modelcontextprotocol/client";
import type { JsonObject } from "../../../shared/json.ts";
import type { McpTransport } from "../../../shared/mcp.ts";
import {
  describe,
  httpStatus,
  isNetworkFailure,
  isServerAnswer,
  isSessionLost,
  toCallError,
} from "./call-errors.ts";
import { untilAborted } from "../kit/abort.ts";
import type { StdioTransport } from "./stdio-transport.ts";
import { listAllTools } from "./tool-list.ts";
import { readCallResult } from "./tool-result.ts";
import type {
  ClientInfo,
  Connection,
  ConnectionEvents,
  McpCallOptions,
  McpCallResult,
  ToolListing,
} from "./types.ts";

// The only importer of the MCP client library. It is large: load this file with `import()`, after the servers were spawned.

/** For `terminateSession`, ms: a server that is gone need not be told so. */
const farewell = 1000;
/** For a new session in place of a lost one, ms. */
const renewalLimit = 30_000;
/** Longer than any timer of ours: time limits are kept outside of the library, by signals. */
const unlimited = 2 ** 31 - 1;

export interface ConnectOptions {
  /** The server's name, for messages. */
  readonly name: string;
  readonly client: ClientInfo;
  readonly events: ConnectionEvents;
  /** How long it may take to become ready, ms: a third of it is left to a server that does not answer the probe. */
  readonly startupMs: number;
}
/** A remote server. `transport` null: Streamable HTTP, then SSE on a 4xx (spec 6). */
export interface HttpTarget {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: "streamable_http" | "sse" | null;
  readonly fetch: typeof globalThis.fetch;
}
interface Opened {
  readonly client: Client;
  readonly transport: McpTransport;
  /** Ends the server's session, where there is one. */
  readonly farewell: () => Promise<void>;
}

/** Accepts any result: what servers get wrong is forgiven in `tool-list.ts` and `tool-result.ts`. */
const anything = {
  "~standard": { version: 1, vendor: "nacre", validate: (value: unknown) => ({ value }) },
} as const;

/**
 * Shakes hands with a server on a child's streams, in the era of `initialize` (mcp.md: legacy is the common case over stdio).
 * Its only root is `workspace`. @throws what the library throws; the transport is closed then
 */
export async function connectStdio(
  transport: StdioTransport,
  options: ConnectOptions & { readonly workspace: string },
  signal: AbortSignal,
): Promise<Connection> {
  const client = createClient(options, "legacy", { roots: {} });
  const { workspace } = options;
  client.setRequestHandler("roots/list", () => ({
    roots: [{ uri: pathToFileURL(workspace).href, name: "workspace" }],
  }));
  await connect(client, transport, signal);
  return new ClientConnection(
    { client, transport: "stdio", farewell: () => Promise.resolve() },
    options.name,
  );
}

/**
 * Connects to a remote server in whichever era and transport it speaks. A session that the server forgot is opened anew, once a
 * request. @throws NacreError `needs_setup` (401, 403), `network`, `unavailable`
 */
export async function connectHttp(
  target: HttpTarget,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Connection> {
  const opened = await openHttp(target, options, signal);
  const same: HttpTarget = { ...target, transport: opened.transport === "sse" ? "sse" : "streamable_http" };
  return new ClientConnection(opened, options.name, (again) => openHttp(same, options, again));
}

function createClient(
  { client, events, startupMs }: ConnectOptions,
  mode: "legacy" | "auto",
  capabilities: ClientCapabilities,
): Client {
  const created = new Client(
    { name: client.name, version: client.version },
    {
      capabilities,
      versionNegotiation: { mode, probe: { timeoutMs: startupMs / 3 } },
      // For the era that must ask for notifications; the handler below serves the one that is sent them.
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => events.onToolsChanged() } },
    },
  );
  created.onerror = (error) => events.onNote(describe(error));
  created.setNotificationHandler("notifications/tools/list_changed", () => events.onToolsChanged());
  created.setNotificationHandler("notifications/message", ({ params }) =>
    events.onNote(
      `${params.level}: ${typeof params.data === "string" ? params.data : JSON.stringify(params.data)}`,
    ),
  );
  return created;
}

/** Connects; an abort or a failure closes the transport and waits for it. */
async function connect(client: Client, transport: Transport, signal: AbortSignal): Promise<void> {
  const abort = (): void => void transport.close();
  signal.throwIfAborted();
  signal.addEventListener("abort", abort, { once: true });
  try {
    await client.connect(transport, { signal, timeout: unlimited });
  } catch (error) {
    await transport.close();
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

async function openHttp(target: HttpTarget, options: ConnectOptions, signal: AbortSignal): Promise<Opened> {
  const attempt = async (kind: "auto" | "legacy" | "sse"): Promise<Opened> => {
    const settings = { requestInit: { headers: target.headers }, fetch: target.fetch };
    const client = createClient(options, kind === "auto" ? "auto" : "legacy", {});
    if (kind === "sse") {
      await connect(client, new SSEClientTransport(target.url, settings), signal);
      return { client, transport: "sse", farewell: () => Promise.resolve() };
    }
    const transport = new StreamableHTTPClientTransport(target.url, settings);
    await connect(client, transport, signal);
    return { client, transport: "streamable_http", farewell: () => transport.terminateSession() };
  };
  const failed = (error: unknown): Error => toCallError(error, `connecting to "${options.name}"`, 0);
  /** Only a server that is there and does not understand is asked in another way. */
  const isStrange = (error: unknown): boolean =>
    !signal.aborted && !isNetworkFailure(error) && httpStatus(error) !== 401 && httpStatus(error) !== 403;
  const isRefusal = (error: unknown): boolean =>
    isStrange(error) && Math.floor((httpStatus(error) ?? 0) / 100) === 4;
  let last: unknown;
  for (const kind of target.transport === "sse" ? (["sse"] as const) : (["auto", "legacy", "sse"] as const)) {
    if (kind === "legacy" && isRefusal(last)) continue;
    if (kind === "sse" && target.transport === "streamable_http") break;
    if (kind === "sse" && last !== undefined && !isRefusal(last)) break;
    try {
      return await attempt(kind);
    } catch (error) {
      signal.throwIfAborted();
      options.events.onNote(
        `${kind === "sse" ? "SSE" : `Streamable HTTP (${kind})`} failed: ${describe(error)}`,
      );
      // The first refusal says more than that of the last resort.
      if (kind === "sse" && last !== undefined) break;
      last = error;
      if (!isStrange(error)) break;
    }
  }
  throw failed(last);
}

class ClientConnection implements Connection {
  readonly closed: Promise<void>;
  readonly #name: string;
  readonly #reopen: ((signal: AbortSignal) => Promise<Opened>) | undefined;
  #opened: Opened;
  #renewing: Promise<void> | undefined;
  #finish: () => void = () => undefined;

  constructor(opened: Opened, name: string, reopen?: (signal: AbortSignal) => Promise<Opened>) {
    this.#name = name;
    this.#reopen = reopen;
    this.#opened = opened;
    this.closed = new Promise((resolve) => (this.#finish = resolve));
    this.#watch(opened.client);
  }
  get transport(): McpTransport {
    return this.#opened.transport;
  }
  get protocol(): string {
    return this.#opened.client.getNegotiatedProtocolVersion() ?? "";
  }
  get instructions(): string {
    return this.#opened.client.getInstructions() ?? "";
  }
  listTools(signal: AbortSignal): Promise<ToolListing> {
    return listAllTools((cursor) =>
      this.#request("tools/list", cursor === undefined ? {} : { cursor }, { signal, timeout: unlimited }),
    );
  }
  async call(
    tool: string,
    input: JsonObject,
    options: McpCallOptions & { readonly timeoutMs: number },
    signal: AbortSignal,
  ): Promise<McpCallResult> {
    signal.throwIfAborted();
    // Many calls may run under one signal; Node would warn of so many listeners.
    setMaxListeners(0, signal);
    try {
      const result = await this.#request(
        "tools/call",
        { name: tool, arguments: input },
        {
          signal,
          timeout: options.timeoutMs,
          resetTimeoutOnProgress: true,
          // Without a listener no progress is asked for, and a long call would run into its limit.
          onprogress: ({ progress, total, message }) => {
            const share = total === undefined ? String(progress) : `${progress}/${total}`;
            options.onOutput?.(message === undefined ? `${share}\n` : `${message} (${share})\n`);
          },
        },
      );
      return readCallResult(result);
    } catch (error) {
      signal.throwIfAborted();
      if (isServerAnswer(error))
        return {
          content: [{ type: "text", text: `MCP error ${error.code}: ${error.message}` }],
          isError: true,
        };
      throw toCallError(error, `the tool "${tool}" of "${this.#name}"`, options.timeoutMs);
    }
  }
  async close(): Promise<void> {
    const { client, farewell: sayFarewell } = this.#opened;
    try {
      await within(farewell, sayFarewell());
      await client.close();
    } catch {
      // A session that cannot be ended ends by itself; the library has told `onerror`.
    }
    this.#finish();
  }
  #watch(client: Client): void {
    client.onclose = () => {
      if (this.#opened.client === client) this.#finish();
    };
  }
  async #request(
    method: "tools/list" | "tools/call",
    params: Record<string, unknown>,
    options: RequestOptions & { signal: AbortSignal },
  ): Promise<unknown> {
    const used = this.#opened;
    try {
      return await used.client.request({ method, params }, anything, options);
    } catch (error) {
      if (!this.#reopen || options.signal.aborted || !isSessionLost(error)) throw error;
      await this.#renew(used, this.#reopen, options.signal);
      return this.#opened.client.request({ method, params }, anything, options);
    }
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
        this.#watch(opened.client);
        await lost.client.close();
      })
      .finally(() => (this.#renewing = undefined));
    await untilAborted(this.#renewing, signal);
  }
}

/** Waits for what may hang, and leaves it alone then. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
