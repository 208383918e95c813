import { contributionId } from "../../../shared/contribution.ts";
import { NacreError } from "../../../shared/errors.ts";
import type { JsonObject } from "../../../shared/json.ts";
import type { McpState, McpTransport } from "../../../shared/mcp.ts";
import type { McpDeclaration } from "../config/types.ts";
import { untilAborted } from "../kit/abort.ts";
import { describe } from "./call-errors.ts";
import { Changes } from "./changes.ts";
import { IdleTimer } from "./idle-timer.ts";
import { declaredTransport, idleTimeoutMs, startupTimeoutMs, toolTimeoutMs } from "./launch.ts";
import type { Opened } from "./open-server.ts";
import { Restarts } from "./restarts.ts";
import { notReadyError, type Failure } from "./server-errors.ts";
import type { ServerLog } from "./server-log.ts";
import { attemptStart, type ServerPorts, type StartOutcome } from "./start-attempt.ts";
import type {
  Connection,
  ConnectionEvents,
  McpCallOptions,
  McpCallResult,
  McpToolDefinition,
  ToolListing,
} from "./types.ts";

class StopRequest extends Error {
  override readonly name = "AbortError";
}

/** One MCP server: the one writer of its state (spec 6, Lifecycle). Starts and stops follow each other, never overlap. */
export class McpServer {
  readonly declaration: McpDeclaration;
  readonly id: string;
  readonly log: ServerLog;
  readonly #ports: ServerPorts;
  readonly #restarts: Restarts;
  #state: McpState;
  #tools: readonly McpToolDefinition[] = [];
  #problems: readonly string[] = [];
  #opened: Opened | undefined;
  #starting: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  #turn: Promise<void> = Promise.resolve();
  /** Stopped, but the next call starts it: lazy, or after its idle time. */
  #dormant = false;
  /** Replaced, or the host stops: nothing starts it again. */
  #ended = false;
  readonly #idle: IdleTimer;
  readonly #changes: Changes;

  constructor(declaration: McpDeclaration, log: ServerLog, ports: ServerPorts) {
    this.declaration = declaration;
    this.id = contributionId("mcp", declaration.owner, declaration.name);
    this.log = log;
    this.#ports = ports;
    this.#changes = new Changes({ ...ports, listTools: () => this.#listAgain() });
    const { autoRestart, maxRestartAttempts } = declaration.config;
    this.#idle = new IdleTimer(idleTimeoutMs(declaration.config), () => void this.#sleep());
    this.#restarts = new Restarts(autoRestart ? maxRestartAttempts : 0, ports.restartDelaysMs, ports.clock);
    const gate = ports.gate(declaration);
    this.#state = { name: gate === "open" ? "stopped" : gate };
  }
  get name(): string {
    return this.declaration.name;
  }
  get state(): McpState {
    return this.#state;
  }
  /** As declared, until a connection says which was found. */
  get transport(): McpTransport {
    return this.#opened?.connection.transport ?? declaredTransport(this.declaration.config);
  }
  /** What the server offers, or offered when it was last there; empty where it may not run. */
  get tools(): readonly McpToolDefinition[] {
    return this.#tools;
  }
  /** What was wrong with its list of tools. */
  get problems(): readonly string[] {
    return this.#problems;
  }
  /** The session with a ready server. */
  get connection(): Connection | undefined {
    return this.#opened?.connection;
  }
  /** What the server tells the model; empty where it says nothing. */
  get instructions(): string {
    return this.#opened?.connection.instructions ?? "";
  }
  /** Resolves when it neither starts nor waits to come back. */
  async whenQuiet(): Promise<void> {
    for (let next; (next = this.#starting?.done ?? this.#restarts.waiting);) await next;
  }

  /** Starts nothing before its predecessor has ended: two of one name would fight for a port or a file. */
  follow(predecessor: Promise<void> | undefined): void {
    this.#turn = this.#turn.then(() => predecessor);
  }
  /** Starts it, unless it is lazy and its tools are known from its last run. */
  begin(): void {
    if (this.declaration.config.start === "lazy" && this.#ports.gate(this.declaration) === "open") {
      const known = this.#ports.cache.read(this.declaration);
      if (known) {
        this.#tools = known;
        this.#dormant = true;
        this.#set({ name: "stopped" });
        return;
      }
    }
    void this.start();
  }
  /** Resolves when it is ready or will not be; what became of it stands in `state`. Never rejects. */
  start(): Promise<void> {
    this.#restarts.reset();
    return this.#start();
  }
  /** Ends it and waits until nothing of it is left. */
  stop(): Promise<void> {
    return this.#stop(() => {
      this.#tools = [];
      this.#dormant = false;
      const gate = this.#ports.gate(this.declaration);
      this.#set({ name: gate === "open" ? "stopped" : gate });
    });
  }
  /** As `stop`, for good. */
  end(): Promise<void> {
    this.#ended = true;
    return this.stop();
  }
  async restart(): Promise<void> {
    await Promise.all([this.stop(), this.start()]);
  }
  /** Trust or a switch changed: what may no longer run ends, and that is waited for; what may again begins. */
  async review(): Promise<void> {
    const gate = this.#ports.gate(this.declaration);
    const closed = ["disabled", "untrusted", "needs_approval"].includes(this.#state.name);
    if (gate === "open" && closed) this.begin();
    else if (gate !== "open" && gate !== this.#state.name) await this.stop();
  }
  /** @throws NacreError at once where it is not ready (but for a dormant one, which starts); else as `Connection.call` */
  async call(
    tool: string,
    input: JsonObject,
    options: McpCallOptions,
    signal: AbortSignal,
  ): Promise<McpCallResult> {
    const timeoutMs = toolTimeoutMs(this.declaration.config);
    return this.#use((connection) => {
      this.#ports.permit(tool);
      return connection.call(tool, input, { ...options, timeoutMs }, signal);
    }, signal);
  }
  /** Any other request, as `Connection.request`; it starts a dormant server as a call does. @throws as `call` */
  request(
    method: string,
    params: JsonObject,
    options: McpCallOptions,
    signal: AbortSignal,
  ): Promise<unknown> {
    const timeoutMs = toolTimeoutMs(this.declaration.config);
    return this.#use(
      (connection) => connection.request(method, params, { ...options, timeoutMs }, signal),
      signal,
    );
  }

  async #use<T>(work: (connection: Connection) => Promise<T>, signal: AbortSignal): Promise<T> {
    const opened = await this.#reach(signal);
    this.#idle.enter();
    try {
      return await work(opened.connection);
    } catch (error) {
      signal.throwIfAborted();
      if (opened.transport?.isEnding) {
        await opened.transport.closed;
        // The state is written when the end has been told; that is before anything awaited here goes on.
        throw notReadyError(this.name, this.#state);
      }
      if (opened.transport === undefined && error instanceof NacreError && error.code === "network")
        this.#lost(opened, error.message);
      throw error;
    } finally {
      this.#idle.leave();
    }
  }
  async #reach(signal: AbortSignal): Promise<Opened> {
    // A remote server that was there may be back by now, and nobody would tell.
    const gone = this.#state.name === "exited" || this.#state.name === "failed";
    const returning = gone && this.transport !== "stdio" && this.#tools.length > 0;
    if (this.#starting) await untilAborted(this.#starting.done, signal);
    else if (this.#dormant || returning) await untilAborted(this.#start(), signal);
    if (!this.#opened) throw notReadyError(this.name, this.#state);
    return this.#opened;
  }
  #set(state: McpState): void {
    this.#state = state;
    this.#ports.onChange();
  }
  #start(): Promise<void> {
    if (this.#opened || this.#ended) return Promise.resolve();
    if (this.#starting) return this.#starting.done;
    const controller = new AbortController();
    const done = this.#turn
      .then(() => this.#run(controller.signal))
      .finally(() => {
        if (this.#starting?.controller === controller) this.#starting = undefined;
      });
    this.#starting = { controller, done };
    this.#turn = done;
    return done;
  }
  #stop(after: () => void): Promise<void> {
    this.#restarts.reset();
    this.#idle.stop();
    this.#starting?.controller.abort(new StopRequest(`the MCP server "${this.name}" was stopped`));
    this.#starting = undefined;
    // Taken now: a start that is asked for next must not find it.
    const opened = this.#opened;
    this.#opened = undefined;
    this.#turn = this.#turn.then(async () => {
      const was = this.#state.name === "ready" || this.#state.name === "starting";
      await opened?.connection.close();
      after();
      if (was) this.#ports.onEvent({ type: "McpServerStopped", name: this.name });
    });
    return this.#turn;
  }
  async #run(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { limiter, gate, clock, onEvent } = this.#ports;
    const before = gate(this.declaration);
    if (before !== "open") return this.#set({ name: before });
    const since = clock.now();
    this.#dormant = false;
    this.log.begin();
    this.#set({ name: "starting", since });
    onEvent({ type: "McpServerStarting", name: this.name });
    const events: Omit<ConnectionEvents, "onWait"> = {
      onListChanged: (list) => this.#changes.list(list),
      onResourceUpdated: (uri) => this.#changes.resource(uri),
      onNote: (text) => this.log.note(text),
    };
    const request = { id: this.id, log: this.log, events };
    const attempt = (): Promise<StartOutcome> => attemptStart(this.declaration, request, this.#ports, signal);
    const outcome = await limiter.run(attempt, signal).catch((error: unknown): StartOutcome => ({
      kind: "failed",
      failure: { code: "internal", reason: describe(error) },
    }));
    // The stop that asked for it writes the state, whatever the start came to.
    if (!signal.aborted) this.#conclude(outcome, since);
    else if (outcome.kind === "ready") await outcome.opened.connection.close();
  }
  #conclude(outcome: StartOutcome, since: number): void {
    switch (outcome.kind) {
      case "ready":
        return this.#ready(outcome.opened, outcome.listing, since);
      case "closed":
        return this.#set({ name: outcome.gate });
      case "needs_setup":
        return this.#set({
          name: "needs_setup",
          missing: outcome.missing,
          ...(outcome.reason === undefined ? {} : { reason: this.log.masked(outcome.reason) }),
        });
      case "failed":
        return this.#fail(outcome.failure);
      case "aborted":
        // The stop that asked for it writes the state.
        return;
    }
  }
  #ready(opened: Opened, listing: ToolListing, since: number): void {
    this.#opened = opened;
    this.#keep(listing);
    this.#restarts.ready();
    void opened.connection.closed.then(() =>
      this.#lost(opened, opened.transport?.fault ?? "the connection ended"),
    );
    this.#set({ name: "ready", startMs: this.#ports.clock.now() - since });
    this.#ports.onEvent({ type: "McpServerReady", name: this.name, toolCount: this.#tools.length });
    this.#idle.start();
  }
  #keep({ tools, problems }: ToolListing): void {
    this.#tools = tools;
    this.#problems = problems;
    for (const problem of problems) this.log.note(`tools/list: ${problem}`);
    if (this.declaration.config.start === "lazy") this.#ports.cache.write(this.declaration, tools);
  }
  #fail({ code, reason: told }: Failure): void {
    const reason = this.log.masked(told);
    const stderr = this.log.lastStderr;
    this.#set({ name: "failed", error: reason, stderr });
    this.#ports.onEvent({ type: "McpServerFailed", name: this.name, code, reason, stderr });
    if (this.#restarts.isOn) this.#comeBack(reason);
  }
  /** It was ready and ended unasked. */
  #lost(opened: Opened, fault: string): void {
    if (this.#opened !== opened) return;
    const error = this.log.masked(fault);
    this.#opened = undefined;
    this.#turn = this.#turn.then(() => opened.connection.close());
    this.#idle.stop();
    const stderr = this.log.lastStderr;
    this.#set({ name: "exited", error, stderr });
    this.#ports.onEvent({ type: "McpServerFailed", name: this.name, code: "exited", reason: error, stderr });
    this.#comeBack(error);
  }
  #comeBack(reason: string): void {
    const next = this.#restarts.schedule(() => void this.#start());
    if (next !== "gave_up") return;
    const { attempts } = this.#restarts;
    this.#restarts.reset();
    const error = `gave up after ${attempts} restarts: ${reason}`;
    const stderr = this.log.lastStderr;
    this.#set({ name: "failed", error, stderr });
    this.#ports.onEvent({ type: "McpServerFailed", name: this.name, code: "gave_up", reason: error, stderr });
  }
  /** Nobody called for its idle time: it stops, and the next call starts it. */
  #sleep(): Promise<void> {
    return this.#stop(() => {
      this.#dormant = true;
      this.#set({ name: "stopped" });
    });
  }
  async #listAgain(): Promise<void> {
    const opened = this.#opened;
    if (!opened) return;
    try {
      const signal = AbortSignal.timeout(startupTimeoutMs(this.declaration.config));
      const listing = await opened.connection.listTools(signal);
      if (this.#opened !== opened) return;
      this.#keep(listing);
      this.#ports.onChange();
    } catch (error) {
      this.log.note(`listing the tools again failed, the known ones stay: ${describe(error)}`);
    }
  }
}
