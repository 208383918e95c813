import { NacreError } from "../../../shared/errors.ts";
import { isObject, type JsonObject } from "../../../shared/json.ts";
import type { McpTransport } from "../../../shared/mcp.ts";
import { untilAborted } from "../kit/abort.ts";
import { isHeaderMismatch, isServerAnswer, isSessionLost, serverWords, toCallError } from "./call-errors.ts";
import { type CallLimit, CallLimits, longestCall } from "./call-limit.ts";
import { finishTask, oldTask, taskOf } from "./features/tasks.ts";
import { withSignIn, type SignIn } from "./oauth/sign-in.ts";
import { paramHeaders } from "./param-headers.ts";
import { ProgressLines, type Progress } from "./progress-lines.ts";
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
  readonly onprogress?: (progress: Progress) => void;
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
  /** Answers what a task asks, as the server's own requests are answered. @throws where it is declined or not offered */
  answer(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown>;
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
  /** The calls that run, whose clocks stand still while a person is asked. */
  readonly limits?: CallLimits;
  /** What is known of the server's tools is out of date. */
  readonly onStale?: () => void;
}

/** What the rest of the room holds of a server: its tools and calls, through whichever session is open. */
export class ClientConnection implements Connection {
  readonly closed: Promise<void>;
  readonly #ports: ConnectionPorts;
  readonly #limits: CallLimits;
  #opened: Opened;
  #renewing: Promise<void> | undefined;
  #finish: () => void = () => undefined;
  #headers: ToolListing["headers"] = new Map();
  #taskTools: ToolListing["taskTools"] = new Set();

  constructor(opened: Opened, ports: ConnectionPorts) {
    this.#ports = ports;
    this.#limits = ports.limits ?? new CallLimits();
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
    this.#taskTools = this.#takesTasks() ? listing.taskTools : new Set();
    return listing;
  }
  async call(
    tool: string,
    input: JsonObject,
    options: McpCallOptions & { readonly timeoutMs: number },
    signal: AbortSignal,
  ): Promise<McpCallResult> {
    const what = `the tool "${tool}" of "${this.#ports.name}"`;
    const asksTask = this.#taskTools.has(tool);
    const params = { name: tool, arguments: input, ...(asksTask ? oldTask : {}) };
    const raw = await this.#limited(what, options, signal, async (sent) => {
      const call = (): Promise<unknown> => {
        const headers = paramHeaders(this.#headers.get(tool) ?? [], input);
        return this.#request("tools/call", params, { ...sent, headers });
      };
      try {
        return await this.#withHeaders(call, sent.signal);
      } catch (error) {
        if (sent.signal.aborted || !isServerAnswer(error)) throw error;
        const text = `MCP error ${error.code}: ${serverWords(error)}`;
        return { content: [{ type: "text", text }], isError: true };
      }
    });
    const task = taskOf(raw, asksTask);
    return readCallResult(task ? await this.#finishTask(task, what, options, signal) : raw);
  }
  /** Each look at a task has the time of a call; how long the task takes is its server's business. */
  #finishTask(
    task: JsonObject,
    what: string,
    options: McpCallOptions & { readonly timeoutMs: number },
    signal: AbortSignal,
  ): Promise<unknown> {
    const { timeoutMs, onOutput } = options;
    const ports = {
      request: (method: string, params: JsonObject, stop: AbortSignal) =>
        this.request(method, params, { timeoutMs }, stop),
      answer: (method: string, params: JsonObject, stop: AbortSignal) =>
        this.#opened.answer(method, params, stop),
      ...(onOutput ? { onOutput } : {}),
    };
    return finishTask(task, what, ports, signal);
  }
  /** Whether calls may ask for a task (MCP 2025-11-25, Tasks). */
  #takesTasks(): boolean {
    const { tasks } = this.#opened.capabilities;
    const requests = isObject(tasks) ? tasks["requests"] : undefined;
    const tools = isObject(requests) ? requests["tools"] : undefined;
    return isObject(tools) && isObject(tools["call"]);
  }
  async request(
    method: string,
    params: JsonObject,
    options: McpCallOptions & { readonly timeoutMs: number },
    signal: AbortSignal,
  ): Promise<unknown> {
    const { name } = this.#ports;
    return this.#limited(`${method} of "${name}"`, options, signal, async (sent) => {
      try {
        return await this.#request(method, params, sent);
      } catch (error) {
        if (sent.signal.aborted || !isServerAnswer(error)) throw error;
        throw new NacreError("invalid_input", `"${name}" answered ${method}: ${serverWords(error)}`, {
          cause: error,
        });
      }
    });
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
  /** Calls within the time limits; what goes wrong becomes an error of ours. @throws NacreError; the signal's reason */
  async #limited<T>(
    what: string,
    { onOutput, timeoutMs }: McpCallOptions & { readonly timeoutMs: number },
    signal: AbortSignal,
    work: (sent: RequestOptions) => Promise<T>,
  ): Promise<T> {
    const lines = new ProgressLines((line) => onOutput?.(line));
    let limit: CallLimit | undefined;
    try {
      return await this.#limits.within(timeoutMs, signal, (running) => {
        limit = running;
        // Without a listener no progress is asked for, and a long call would run into its limit.
        const onprogress = (progress: Progress): void => {
          running.progress();
          lines.add(progress);
        };
        return work({ signal: running.signal, timeout: unlimited, onprogress });
      });
    } catch (error) {
      signal.throwIfAborted();
      if (limit?.over === "silence")
        throw timeoutError(what, `did not answer within ${timeoutMs / 1000} s`, error);
      if (limit?.over === "total")
        throw timeoutError(
          what,
          `did not end within ${longestCall / 60_000} min, for all its progress,`,
          error,
        );
      throw toCallError(error, what, timeoutMs);
    } finally {
      lines.end();
    }
  }
  /** Once more with the headers of the tools as they are now, where the server says that ours are not (MCP 2026-07-28). */
  async #withHeaders(call: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted || !isHeaderMismatch(error)) throw error;
      await this.listTools(signal);
      this.#ports.onStale?.();
      return call();
    }
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

const timeoutError = (what: string, how: string, cause: unknown): NacreError =>
  new NacreError("timeout", `${what} ${how} and was cancelled`, { cause });
