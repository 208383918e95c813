import { NacreError, toErrorValue } from "../../../shared/errors.ts";
import type { McpAppRef } from "../../../shared/mcp-app.ts";
import type { Entry, SessionEvent, SessionRow, SessionView } from "../../../shared/session.ts";
import type { Clock, Ids } from "../kit/clock.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import type { SessionRecord } from "../record/session-record.ts";
import type { ToolCallResult } from "../tools/types.ts";
import { answer, modelTrace } from "./answer.ts";
import { Conversation } from "./conversation.ts";
import { HeldLock } from "./held-lock.ts";
import type { SessionHost, SessionRef } from "./session-host.ts";
import type { SentMessage, TurnReport } from "./turn-report.ts";
import { noUsage, type TurnEnd, type TurnEvent } from "./turn.ts";

export interface ChatSessionOptions {
  readonly record: SessionRecord;
  readonly host: SessionHost;
  /** Its real path. */
  readonly workspace: string;
  readonly version: string;
  readonly clock: Clock;
  readonly ids: Ids;
}
type State =
  | { readonly name: "idle" | "failed" }
  | {
      readonly name: "running";
      readonly since: number;
      readonly step: number;
      readonly controller: AbortController;
      readonly ended: Promise<void>;
    };
/** What an app is told of the call that it shows. */
export interface AppCall {
  readonly app: McpAppRef;
  /** JSON; undefined while it runs, and where it ended without a result of the server. */
  readonly result: string | undefined;
}
interface Queued {
  readonly text: string;
  readonly settle: (report: TurnReport) => void;
}
const pageSize = 50;

/**
 * One conversation and its only writer. A message that comes while a turn runs waits in a queue, also while what a
 * stopped turn had started is still being ended; the session's lock is held until then and until the queue is empty.
 * Every line is written before its event is told.
 */
export class ChatSession {
  readonly #options: ChatSessionOptions;
  readonly #record: SessionRecord;
  readonly #conversation: Conversation;
  readonly #events: Emitter<SessionEvent>;
  readonly #turnEvents: Emitter<TurnEvent>;
  readonly #queue: Queued[] = [];
  readonly #waitingCalls = new Set<string>();
  readonly #lock: HeldLock;
  #state: State;
  #row: SessionRow;
  #title: string | undefined;
  #questionOpen = false;
  /** Set while the queue is answered. */
  #work: Promise<void> | undefined;

  constructor(options: ChatSessionOptions) {
    const report = (error: unknown): void => options.host.report(error);
    this.#options = options;
    this.#record = options.record;
    this.#events = new Emitter(report);
    this.#turnEvents = new Emitter(report);
    this.#lock = new HeldLock(() => options.record.lock());
    this.#row = this.#readRow();
    this.#state = { name: this.#row.state === "failed" ? "failed" : "idle" };
    this.#conversation = new Conversation(options.record, (event) => this.#events.emit(event), options.clock);
  }
  get id(): string {
    return this.#record.id;
  }
  /** What the topic `session:<id>` tells. */
  get events(): Listenable<SessionEvent> {
    return this.#events;
  }
  /** What the turns tell, uncut, for a command line; each after its line is written. */
  get turnEvents(): Listenable<TurnEvent> {
    return this.#turnEvents;
  }
  get row(): SessionRow {
    const { name } = this.#state;
    const waiting = this.#questionOpen || this.#waitingCalls.size > 0;
    return { ...this.#row, state: name === "running" && waiting ? "waiting" : name };
  }
  /** A turn runs, what it started is being ended, or messages wait. */
  get busy(): boolean {
    return this.#work !== undefined || this.#queue.length > 0;
  }
  /** Nothing was ever said in it: it is not on the disk. */
  get empty(): boolean {
    return this.#record.lines().length === 0;
  }
  view(): SessionView {
    return { row: this.row, ...this.#conversation.page(pageSize), ...this.#progress() };
  }
  /** The page of 50 entries that ends with the one named, as `before` of a view or page names it. */
  page(before: string): { entries: readonly Entry[]; before: string | null } {
    return this.#conversation.page(pageSize, before);
  }
  /** The whole output of one call. @throws NacreError `not_found` */
  output(callId: string): string {
    const line = this.#record.lines().findLast((one) => one.type === "tool_result" && one.callId === callId);
    if (line?.type !== "tool_result")
      throw new NacreError("not_found", `the session ${this.id} has no result of the call ${callId}`);
    const { text, blob } = line.output;
    return blob === undefined ? text : this.#record.readBlob(blob.sha256);
  }
  /** The app that shows a call, and the call's whole result once there is one. @throws NacreError `not_found` */
  appCall(callId: string): AppCall {
    const entry = this.#conversation.tool(callId);
    const app = entry?.call.app;
    if (!entry || !app) throw new NacreError("not_found", `no app shows the call ${callId}`);
    const line = this.#record.lines().findLast((one) => one.type === "tool_result" && one.callId === callId);
    const kept = line?.type === "tool_result" ? line.forApp : undefined;
    const result = kept?.blob === undefined ? kept?.text : this.#record.readBlob(kept.blob.sha256);
    return { app, result };
  }
  /**
   * A message, or a slash command. Resolves when it is taken; its turn goes on behind. After a turn that failed, what
   * still waits is answered before it.
   * @throws NacreError `locked` where another host has the session, `io`
   */
  async send(text: string): Promise<SentMessage> {
    await this.#lock.take();
    const queued = this.busy;
    const turn = new Promise<TurnReport>((settle) => this.#queue.push({ text, settle }));
    if (this.#work === undefined) this.#work = this.#answerQueue();
    else this.#tellProgress();
    return { queued, turn };
  }
  /** Takes back a message that waits. */
  unqueue(index: number): void {
    const [message] = this.#queue.splice(index, 1);
    message?.settle(this.#reportOf(nothingSaid, []));
    this.#tellProgress();
  }
  /** Ends the turn that runs; what came is kept. Resolves when its end stands in the record. */
  async stop(reason: Error = new NacreError("stopped", "stopped by the user")): Promise<void> {
    if (this.#state.name !== "running") return;
    this.#state.controller.abort(reason);
    await this.#state.ended;
  }
  async rename(title: string): Promise<void> {
    this.#title = title.trim();
    this.#row = { ...this.#row, title: this.#title };
    this.#tellRow();
    if (!this.empty) await this.#record.writeMeta(this.row);
  }
  /** Whether a question to the person is open that no call here tells of: one of a sub-agent. */
  setQuestionOpen(open: boolean): void {
    if (this.#questionOpen === open) return;
    this.#questionOpen = open;
    if (this.#state.name === "running") this.#tellRow();
  }
  /** Stops what runs, drops what waits, and gives files and lock back. */
  async close(): Promise<void> {
    while (this.#queue.length > 0) this.unqueue(0);
    await this.stop();
    await this.#work;
    await this.#lock.released;
    this.#conversation.flush();
    this.#record.close();
  }

  /** Never rejects. */
  async #answerQueue(): Promise<void> {
    this.#conversation.refresh();
    for (let message = this.#queue.shift(); message !== undefined; message = this.#queue.shift()) {
      const report = await this.#turn(message.text);
      message.settle(report);
      await this.#options.host.settled(this.id);
      // The next one would most likely fail alike: nothing is lost, and the person decides.
      if (report.stopReason === "error") break;
    }
    this.#work = undefined;
    this.#lock.release((error) => this.#options.host.report(error));
  }
  async #turn(text: string): Promise<TurnReport> {
    const controller = new AbortController();
    // In the order of the calls, however they end.
    const results = new Map<string, ToolCallResult | undefined>();
    let ended = (): void => {};
    this.#state = {
      name: "running",
      since: this.#options.clock.now(),
      step: 0,
      controller,
      ended: new Promise((resolve) => (ended = resolve)),
    };
    let end: TurnEnd;
    try {
      this.#begin(text);
      end = await this.#answer(text, controller, results);
    } catch (error) {
      // The record cannot be written, or something that must not throw did.
      end = { ...nothingSaid, stopReason: "error", error: toErrorValue(error) };
      this.#options.host.report(error);
    }
    this.#waitingCalls.clear();
    if (end.error) {
      const message = this.#options.host.mask(end.error.message);
      end = { ...end, error: { ...end.error, message } };
    }
    await this.#finish(end, ended);
    return this.#reportOf(
      end,
      [...results.values()].filter((result) => result !== undefined),
    );
  }
  #begin(text: string): void {
    const { workspace, version } = this.#options;
    if (this.empty) this.#conversation.append({ type: "session", workspace, version });
    this.#conversation.append({ type: "user", text });
    this.#row = this.#readRow();
    this.#tellRow();
    this.#tellProgress();
  }
  async #answer(text: string, controller: AbortController, results: CallResults): Promise<TurnEnd> {
    const { host, clock, ids } = this.#options;
    const session: SessionRef = { id: this.id, createdAt: this.#row.createdAt };
    const turn = answer(text, { host, session, record: this.#record, clock, ids }, controller.signal);
    try {
      for (;;) {
        const next = await turn.next();
        if (next.done) return next.value;
        const event = next.value;
        this.#conversation.take(event);
        this.#follow(event, results);
        if (event.type === "step_end") host.trace(session, modelTrace(event, { clock, ids }));
        this.#turnEvents.emit(event);
      }
    } catch (error) {
      controller.abort(error);
      // The turn is left where it stands; with the signal aborted it ends by itself, and how is not of interest.
      turn.throw(error).catch(() => undefined);
      throw error;
    }
  }
  /** What the event changes of state and row. */
  #follow(event: TurnEvent, results: CallResults): void {
    const waited = this.#waitingCalls.size > 0;
    if (event.type === "step" && this.#state.name === "running") {
      this.#state = { ...this.#state, step: event.step };
      this.#tellProgress();
    } else if (event.type === "tool_call") {
      results.set(event.call.id, undefined);
    } else if (event.type === "tool_result") {
      results.set(event.result.id, event.result);
      this.#waitingCalls.delete(event.result.id);
    } else if (event.type === "tool_state") {
      if (event.state === "waiting") this.#waitingCalls.add(event.callId);
      else this.#waitingCalls.delete(event.callId);
    }
    if (waited !== this.#waitingCalls.size > 0) this.#tellRow();
  }
  async #finish(end: TurnEnd, ended: () => void): Promise<void> {
    const name = end.stopReason === "error" ? "failed" : "idle";
    try {
      const { error } = end;
      if (error !== undefined)
        this.#conversation.append({ type: "system", audience: "user", level: "error", text: error.message });
      this.#conversation.end(end);
      this.#state = { name };
      this.#row = this.#readRow();
      this.#tellRow();
      this.#tellProgress();
      ended();
      this.#record.sync();
      await this.#record.writeMeta(this.row);
    } catch (error) {
      this.#state = { name: "failed" };
      this.#options.host.report(error);
      this.#conversation.showOnly("error", toErrorValue(error).message);
      this.#tellRow();
      this.#tellProgress();
      ended();
    }
  }
  #readRow(): SessionRow {
    const row = this.#record.row();
    const now = new Date(this.#options.clock.now()).toISOString();
    const times = this.empty ? { createdAt: now, updatedAt: now } : {};
    return { ...row, ...times, ...(this.#title === undefined ? {} : { title: this.#title }) };
  }
  #reportOf(
    { text, steps, usage, stopReason, error }: TurnEnd,
    toolCalls: readonly ToolCallResult[],
  ): TurnReport {
    const failed = error === undefined ? {} : { error };
    return { session: this.id, text, steps, usage, toolCalls, stopReason, ...failed };
  }
  #progress(): Omit<SessionView, "row" | "entries" | "before"> {
    const running = this.#state.name === "running" ? this.#state : undefined;
    return {
      running: running !== undefined,
      runningSince: running?.since ?? null,
      step: running?.step ?? 0,
      queued: this.#queue.map(({ text }) => text),
    };
  }
  #tellProgress(): void {
    this.#events.emit({ type: "running", ...this.#progress() });
  }
  #tellRow(): void {
    this.#events.emit({ type: "row", row: this.row });
  }
}
/** By call; undefined while it runs. */
type CallResults = Map<string, ToolCallResult | undefined>;
const nothingSaid: TurnEnd = { stopReason: "stopped", text: "", steps: 0, usage: noUsage };
