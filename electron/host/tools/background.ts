import { NacreError, toErrorValue } from "../../../shared/errors.ts";
import type { BackgroundRow } from "../../../shared/workspace.ts";
import { untilAborted } from "../kit/abort.ts";
import type { Clock } from "../kit/clock.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import { run, type SpawnSpec } from "../kit/process.ts";
import { OutputRing, type RingText } from "./output-ring.ts";
import { exitCodeOf, outputLimitBytes } from "./process-output.ts";

/** Commands of one session that run at once. */
const mostRunning = 16;
/** Ended ones of a session that are still told of. */
const mostEnded = 16;
/** Windows hear of a running command's new last line at most so often, ms. */
const tellEvery = 250;
const lineCharacters = 200;

/** A command to start. */
export interface BackgroundStart {
  readonly spec: SpawnSpec;
  /** As it was typed. */
  readonly command: string;
  readonly callId: string;
  readonly sessionId: string | null;
  /** The run of the sub-agent that starts it, with which it ends; null for a conversation's own. */
  readonly agentRun: string | null;
  readonly confined: boolean;
  /** Called when it starts (`ToolRun.keepWatch`); what that gives is called at its end and gives notes for its output. */
  readonly keepWatch: () => (() => Promise<readonly string[]>) | undefined;
}
/** Who asks for a command: only what the same conversation, or the same sub-agent, started is there for it. */
export type BackgroundOwner = Pick<BackgroundStart, "sessionId" | "agentRun">;
/** A command that has ended. */
export interface BackgroundEnd {
  readonly row: BackgroundRow;
  readonly callId: string;
  readonly durationMs: number;
  /** What is kept of its output. */
  readonly output: string;
}
interface Command {
  readonly start: BackgroundStart;
  readonly ring: OutputRing;
  readonly controller: AbortController;
  /** Resolves when nothing of it runs any more. */
  readonly ended: Promise<void>;
  row: Omit<BackgroundRow, "lastLine">;
  readonly endWatch: (() => Promise<readonly string[]>) | undefined;
  endedAt: number | null;
  /** Where its next reader begins. */
  read: number;
  failure?: NacreError;
}

/**
 * The commands that run in the background, or ran in it (spec 4, `run_shell`). One that was started goes on when its call
 * and its turn have ended, also when the turn is stopped; it ends by itself, by a stop, with its sub-agent, with its
 * session, or with the host.
 */
export class BackgroundCommands {
  readonly #clock: Clock;
  readonly #commands = new Map<string, Command>();
  readonly #changed: Emitter<void>;
  readonly #ended: Emitter<BackgroundEnd>;
  #number = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `onError` hears what listeners throw: a command ends where nobody waits. */
  constructor(clock: Clock, onError?: (error: unknown) => void) {
    this.#clock = clock;
    this.#changed = new Emitter(onError);
    this.#ended = new Emitter(onError);
  }
  /** Rows have changed. */
  get onChange(): Listenable<void> {
    return this.#changed;
  }
  get onEnd(): Listenable<BackgroundEnd> {
    return this.#ended;
  }
  /** In the order they were started. */
  rows(): BackgroundRow[] {
    return [...this.#commands.values()].map((command) => rowOf(command));
  }
  /** Starts a command; gives its id. @throws NacreError `unavailable` where 16 of the session run already */
  start(start: BackgroundStart): string {
    const { sessionId, command } = start;
    if (this.#running((one) => one.start.sessionId === sessionId).length >= mostRunning)
      throw new NacreError(
        "unavailable",
        `${mostRunning} commands run in the background already; end one with shell_stop first`,
      );
    const endWatch = start.keepWatch();
    const id = `shell-${++this.#number}`;
    const ring = new OutputRing(outputLimitBytes);
    const controller = new AbortController();
    const onOutput = (text: string): void => {
      ring.add(text);
      this.#timer ??= setTimeout(() => this.#tell(), tellEvery).unref();
    };
    const work = run(start.spec, { limitBytes: "none", onOutput }, controller.signal);
    const startedAt = this.#clock.now();
    const started: Command = {
      start,
      ring,
      controller,
      ended: work.then(
        ({ exit }) => this.#end(id, { state: "exited", exitCode: exitCodeOf(exit) }),
        (error: unknown) => this.#end(id, { state: "stopped" }, error),
      ),
      row: {
        id,
        callId: start.callId,
        sessionId,
        command,
        startedAt,
        state: "running",
        confined: start.confined,
      },
      endWatch,
      endedAt: null,
      read: 0,
    };
    this.#commands.set(id, started);
    this.#forgetOld(sessionId);
    this.#tell();
    return id;
  }
  /**
   * What came since the last reader, and how the command stands. Waits for its end, at most `waitMs`; an abort leaves
   * what came for the next reader. @throws NacreError `not_found`; what kept it from starting; the signal's reason
   */
  async read(
    id: string,
    owner: BackgroundOwner,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<RingText & { readonly row: BackgroundRow; readonly runsMs: number }> {
    const command = this.#find(id, owner);
    if (waitMs > 0 && command.row.state === "running") {
      let timer: NodeJS.Timeout | undefined;
      const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, waitMs)));
      try {
        await untilAborted(Promise.race([command.ended, over]), signal);
      } finally {
        clearTimeout(timer);
      }
    }
    if (command.failure) throw command.failure;
    const found = command.ring.since(command.read);
    command.read = found.end;
    const runsMs = (command.endedAt ?? this.#clock.now()) - command.row.startedAt;
    return { ...found, row: rowOf(command), runsMs };
  }
  /** What is kept of the output. @throws NacreError `not_found` */
  output(id: string): string {
    return this.#find(id).ring.since(0).text;
  }
  /** Ends a command; resolves when it is gone. One that has ended already is left as it is. @throws NacreError `not_found` */
  async stop(id: string, owner?: BackgroundOwner): Promise<BackgroundRow> {
    const command = this.#find(id, owner);
    await this.#stop([command]);
    return rowOf(command);
  }
  /** Whether something of the session runs. */
  isRunning(sessionId: string): boolean {
    return this.#running(({ start }) => start.sessionId === sessionId).length > 0;
  }
  /** Resolves when what was told to end has ended; undefined: of every session. */
  async settled(sessionId?: string): Promise<void> {
    const ending = this.#running(
      ({ start, controller }) =>
        controller.signal.aborted && (sessionId === undefined || start.sessionId === sessionId),
    );
    await Promise.all(ending.map(({ ended }) => ended));
  }
  /** Ends what a sub-agent's run started. */
  async endAgentRun(agentRun: string): Promise<void> {
    await this.#stop(this.#running(({ start }) => start.agentRun === agentRun));
  }
  /** Ends what a session started, and forgets it. */
  async endSession(sessionId: string): Promise<void> {
    await this.#stop(this.#running(({ start }) => start.sessionId === sessionId));
    for (const [id, { start }] of this.#commands)
      if (start.sessionId === sessionId) this.#commands.delete(id);
    this.#tell();
  }
  /** Ends everything; no process and no timer is left. */
  async endAll(): Promise<void> {
    await this.#stop(this.#running(() => true));
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #running(which: (command: Command) => boolean): Command[] {
    return [...this.#commands.values()].filter(
      (command) => command.row.state === "running" && which(command),
    );
  }
  async #stop(commands: readonly Command[]): Promise<void> {
    for (const { controller } of commands) controller.abort(new NacreError("stopped", "stopped"));
    await Promise.all(commands.map(({ ended }) => ended));
  }
  #find(id: string, owner?: BackgroundOwner): Command {
    const command = this.#commands.get(id);
    const isTheirs = (one: Command): boolean =>
      owner === undefined ||
      (one.start.sessionId === owner.sessionId &&
        (owner.agentRun === null || one.start.agentRun === owner.agentRun));
    if (command && isTheirs(command)) return command;
    const known = [...this.#commands.values()]
      .filter((one) => owner && isTheirs(one))
      .map(({ row }) => row.id);
    const there = known.length === 0 ? "none was started here" : `there are ${known.join(", ")}`;
    throw new NacreError("not_found", `there is no background command ${id}; ${there}`);
  }
  async #end(id: string, end: Pick<BackgroundRow, "state" | "exitCode">, error?: unknown): Promise<void> {
    const command = this.#commands.get(id);
    if (!command) return;
    const { start, ring, controller, endWatch } = command;
    if (error !== undefined && !controller.signal.aborted) {
      const { code, message } = toErrorValue(error);
      command.failure = new NacreError(code, message, { cause: error });
      ring.add(`${message}\n`);
    }
    for (const note of (await endWatch?.()) ?? []) ring.add(`(${note})\n`);
    command.row = { ...command.row, ...end, ...(command.failure ? { state: "exited" } : {}) };
    command.endedAt = this.#clock.now();
    const durationMs = command.endedAt - command.row.startedAt;
    this.#ended.emit({ row: rowOf(command), callId: start.callId, durationMs, output: ring.since(0).text });
    this.#tell();
  }
  /** Of the ended ones of a session the last are kept. */
  #forgetOld(sessionId: string | null): void {
    const ended = [...this.#commands].filter(
      ([, { start, row }]) => start.sessionId === sessionId && row.state !== "running",
    );
    for (const [id] of ended.slice(0, Math.max(0, ended.length - mostEnded))) this.#commands.delete(id);
  }
  #tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed.emit();
  }
}

const rowOf = ({ row, ring }: Command): BackgroundRow => ({
  ...row,
  lastLine: ring.lastLine(lineCharacters),
});
