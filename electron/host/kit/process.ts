import type * as ChildProcesses from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { NacreError } from "../../../shared/errors.ts";
import { whenExited } from "./child-exit.ts";
import { childEnvironment } from "./environment.ts";
import { removeRunFile, writeRunFile } from "./orphans.ts";
import { OutputCollector } from "./output-collector.ts";
import { endGroup, killEscaped, runVariable, signalQuietly } from "./process-group.ts";
import { groupIsRunning } from "./process-table.ts";
import type { SocketPair } from "./socket-pair.ts";
import { spawnError } from "./spawn-error.ts";

/** A program to start, without a shell. */
export interface SpawnSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The whole environment of the child (`childEnvironment`); where absent, that of this process without our keys. */
  readonly env?: NodeJS.ProcessEnv;
}
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}
/** A running child in a process group of its own. */
export interface Child {
  readonly pid: number;
  /** A child that ends early closes it; writing then does nothing, and `exit` tells. */
  readonly stdin: Writable;
  /** Listen right after `spawn`: what nobody reads is dropped when the process has ended. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /**
   * Resolves when the process has ended and its pipes are closed. Never rejects. What the process left behind is
   * ended too; while it holds the pipes open, they are read until nothing came for 250 ms, at most 2 s.
   */
  readonly exit: Promise<Exit>;
  /** Ends the whole group: TERM, after 2 s KILL. Resolves when it has ended; twice is fine. */
  stop(): Promise<Exit>;
}
export interface RunOptions {
  /** Goes to standard input, which is closed then. */
  readonly input?: string;
  /** Bytes of output to keep; 512 KB where absent. "none": nothing is kept, and `onOutput` hears all of it. */
  readonly limitBytes?: number | "none";
  readonly timeoutMs?: number;
  /** Hears the kept output as it comes. */
  readonly onOutput?: (text: string) => void;
}
export interface RunResult {
  /** Standard output and error, merged in the order they were written (Windows: as they were read). */
  readonly output: string;
  readonly exit: Exit;
  readonly timedOut: boolean;
  readonly truncated: boolean;
}

const defaultLimit = 512 * 1024;

interface Live {
  /** Ends the group; `sweep` also looks for what left it. */
  end(sweep: boolean): Promise<void>;
  kill(): void;
}
const live = new Map<string, Live>();
let host: string | undefined;
let started = 0;
let runFolder: string | undefined;
let noted = false;
/** Node's module takes some milliseconds to load: with the first child, not with the app. */
let system: typeof ChildProcesses | undefined;
const loadSystem = async (): Promise<typeof ChildProcesses> =>
  (system ??= await import("node:child_process"));

/** The beginning of every child's run name; names this process among all that ever ran here. */
export function hostRunName(): string {
  host ??= `${process.pid}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}.`;
  return host;
}

/** From the first child on, this process is noted in the folder (`<data>/run`), for `endOrphans` after a crash. */
export function noteChildrenIn(folder: string): void {
  runFolder = folder;
}

/**
 * Starts a program in a process group of its own, all three streams piped.
 * @throws NacreError `not_found` (the program, or the folder to start in), `unavailable`, `invalid_input`.
 */
export async function spawn(spec: SpawnSpec): Promise<Child> {
  const { process: child, live: entry, exit } = await start(spec);
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new NacreError("internal", `${spec.command} started without pipes`);
  const pid = child.pid ?? 0;
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<Exit> => {
    stopped ??= entry.end(true);
    await stopped;
    return exit;
  };
  return { pid, stdin, stdout, stderr, exit, stop };
}

/**
 * Runs a program to its end. A timeout ends the group and is told in the result; an abort ends it and rejects
 * with the signal's reason. @throws NacreError as `spawn` does.
 */
export async function run(
  spec: SpawnSpec,
  options: RunOptions = {},
  signal?: AbortSignal,
): Promise<RunResult> {
  signal?.throwIfAborted();
  const pair = process.platform === "win32" ? undefined : await outputPair();
  const { process: child, live: entry, exit } = await start(spec, pair);
  const collector = new OutputCollector(options.limitBytes ?? defaultLimit, options.onOutput);
  const streams = pair ? [pair.ours] : [child.stdout, child.stderr];
  const inputs = streams.map((stream) => {
    const input = collector.input();
    stream?.on("data", (chunk: Buffer) => input.write(chunk)).resume();
    return input;
  });
  let timedOut = false;
  let ended: Promise<void> | undefined;
  const end = (): void => void (ended ??= entry.end(true));
  const timer =
    options.timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          end();
        }, options.timeoutMs);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  child.stdin?.end(options.input ?? "");
  const exited = await exit;
  clearTimeout(timer);
  signal?.removeEventListener("abort", end);
  await ended;
  signal?.throwIfAborted();
  for (const input of inputs) input.end();
  return { output: collector.text, exit: exited, timedOut, truncated: collector.truncated };
}

/**
 * Starts a program that is the user's from then on, a browser or a file manager: it is neither waited for nor ended with
 * us. @throws NacreError as `spawn` does
 */
export async function handOver(spec: SpawnSpec): Promise<void> {
  try {
    const child = await launch(spec, {
      env: spec.env ?? childEnvironment(process.env),
      stdio: "ignore",
      detached: process.platform !== "win32",
      ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
    });
    child.unref();
  } catch (error) {
    throw spawnError(spec, error);
  }
}

/** Ends every child of this process and what left their groups. Resolves when nothing of them runs. */
export async function stopAllProcesses(): Promise<void> {
  await Promise.all([...live.values()].map((entry) => entry.end(false)));
  forget();
}
/** The same at once, for `process.on("exit")`: KILL, without waiting. */
export function killAllProcesses(): void {
  for (const entry of live.values()) entry.kill();
  forget();
}
function forget(): void {
  if (host === undefined) return;
  killEscaped(host);
  if (noted && runFolder !== undefined) removeRunFile(runFolder, host);
  noted = false;
}

/** Undefined where no socket can be made: then there are two pipes, and the order between them is lost. */
async function outputPair(): Promise<SocketPair | undefined> {
  const { socketPair } = await import("./socket-pair.ts");
  return socketPair().catch(() => undefined);
}

interface Started {
  readonly process: ChildProcesses.ChildProcess;
  readonly live: Live;
  readonly exit: Promise<Exit>;
}

async function start(spec: SpawnSpec, pair?: SocketPair): Promise<Started> {
  const name = `${hostRunName()}${++started}.`;
  if (!noted && runFolder !== undefined) {
    noted = true;
    try {
      writeRunFile(runFolder, hostRunName());
    } catch {
      // A data folder that cannot be written costs the sweep after a crash, not the child.
    }
  }
  const env = { ...(spec.env ?? childEnvironment(process.env)), [runVariable]: name };
  const output = pair?.theirs ?? "pipe";
  const options: ChildProcesses.SpawnOptions = {
    env,
    stdio: ["pipe", output, output],
    windowsHide: true,
    detached: process.platform !== "win32",
    ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
  };
  let child: ChildProcesses.ChildProcess;
  try {
    child = await launch(spec, options);
  } catch (error) {
    pair?.ours.destroy();
    throw spawnError(spec, error);
  } finally {
    pair?.theirs.destroy();
  }
  const streams = pair ? [pair.ours] : [child.stdout, child.stderr].filter((stream) => stream !== null);
  // A child that ends before it read its input, or a reset pipe: what happened stands in `exit`.
  for (const stream of [child.stdin, ...streams]) stream?.on("error", () => undefined);
  const group = new Group(child);
  live.set(name, {
    kill: () => group.kill(),
    end: async (sweep) => {
      await group.end();
      if (sweep) killEscaped(name);
    },
  });
  const exit = whenExited(child, streams, () => void group.end());
  void exit.then(async () => {
    await group.end();
    live.delete(name);
  });
  const entry = live.get(name);
  if (!entry) throw new NacreError("internal", `${spec.command} is not in the list of children`);
  return { process: child, live: entry, exit };
}

/** Resolves when the program runs; rejects with the system's error. */
async function launch(
  spec: SpawnSpec,
  options: ChildProcesses.SpawnOptions,
): Promise<ChildProcesses.ChildProcess> {
  if (process.platform === "win32") await loadSystem();
  // Windows starts `.cmd` files by a shell with quoting rules of its own.
  const child =
    process.platform === "win32"
      ? (await import("cross-spawn")).default(spec.command, [...spec.args], options)
      : (await loadSystem()).spawn(spec.command, [...spec.args], options);
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  return child;
}

/** The process group of one child, as long as it is surely the child's. */
class Group {
  readonly #child: ChildProcesses.ChildProcess;
  readonly #leader: Promise<void>;
  #gone = false;
  #ending: Promise<void> | undefined;
  constructor(child: ChildProcesses.ChildProcess) {
    this.#child = child;
    this.#leader = new Promise((resolve) => {
      child.once("exit", () => {
        // From here on the number may go to another process, unless somebody of the group is left.
        this.#gone = process.platform === "win32" || !groupIsRunning(child.pid ?? 0);
        resolve();
      });
    });
  }
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }
  kill(): void {
    const { pid } = this.#child;
    if (this.#gone || pid === undefined) return;
    if (process.platform === "win32") system?.spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"]);
    else signalQuietly(-pid, "SIGKILL");
  }
  async #end(): Promise<void> {
    const { pid } = this.#child;
    if (this.#gone || pid === undefined) return;
    if (process.platform === "win32") await endTree(pid);
    else await endGroup(pid);
    await this.#leader;
    this.#gone = true;
  }
}
async function endTree(pid: number): Promise<void> {
  const { spawn: spawnNow } = await loadSystem();
  await new Promise<void>((resolve, reject) => {
    const killer = spawnNow("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
    killer.once("error", reject);
    killer.once("close", () => resolve());
  });
}
