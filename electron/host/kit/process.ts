import type { Readable, Writable } from "node:stream";
import { NacreError } from "../../../shared/errors.ts";
import { Children, type KeepOptions, type Live } from "./children.ts";
import type { Dispose } from "./disposable.ts";
import { childEnvironment } from "./environment.ts";
import { launch } from "./launch.ts";
import { OutputCollector } from "./output-collector.ts";
import { runVariable } from "./process-group.ts";
import type { SocketPair } from "./socket-pair.ts";
import { spawnError } from "./spawn-error.ts";
import type { SystemProcess } from "./system-process.ts";

/** A program to start, without a shell. */
export interface SpawnSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The whole environment of the child (`childEnvironment`); where absent, that of this process without our keys. */
  readonly env?: NodeJS.ProcessEnv;
  /**
   * True for a program that only watches over others and takes them with it when it ends (bubblewrap): a stop tells the
   * others first. What it starts itself is taken for a part of it. Linux only.
   */
  readonly guardian?: boolean;
  /** What it reads from descriptor 3, 4 and so on, each to its end. */
  readonly inputs?: readonly Uint8Array[];
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
  /** Does not wait for the login shell's PATH: for asking the shell itself. */
  readonly early?: boolean;
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
/** From here on starting a program holds this thread for too long (a copy of the memory's table), bytes. */
const largeHost = 100_000_000;
/** A program that runs for so long has to end with us, whatever ends us, ms. Most end sooner and cost no helper. */
const worthWatching = 250;

const children = new Children();
let helperAbove = largeHost;

/** The beginning of every child's run name; names this process among all that ever ran here. */
export const hostRunName = (): string => children.runName;

/**
 * From now on children are noted in `<data>/run`, for `endOrphans` after a crash, and watched by the helper process,
 * which starts with the first `spawn`, or with a `run` that takes longer than a moment. What this gives back ends that.
 * @param spawnAbove bytes of memory from which on the helper starts the programs
 */
export function keepChildren(options: KeepOptions, spawnAbove: number = largeHost): Dispose {
  helperAbove = spawnAbove;
  return children.keep(options);
}

/**
 * Starts a program in a process group of its own, all three streams piped.
 * @throws NacreError `not_found` (the program, or the folder to start in), `unavailable`, `invalid_input`.
 */
export async function spawn(spec: SpawnSpec): Promise<Child> {
  const { process: child, live } = await start(spec, false);
  children.helper.start();
  const { pid, stdin, outputs } = child;
  const { exit } = live;
  const [stdout, stderr] = outputs;
  if (!stdout || !stderr) throw new NacreError("internal", `${spec.command} started without pipes`);
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<Exit> => {
    stopped ??= live.end(true);
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
  const { process: child, live } = await start(spec, true, options.early);
  const watch = setTimeout(() => children.helper.start(), worthWatching).unref();
  const collector = new OutputCollector(options.limitBytes ?? defaultLimit, options.onOutput);
  const inputs = child.outputs.map((stream) => {
    const input = collector.input();
    stream.on("data", (chunk: Buffer) => input.write(chunk)).resume();
    return input;
  });
  let timedOut = false;
  let ended: Promise<void> | undefined;
  const end = (): void => void (ended ??= live.end(true));
  const timer =
    options.timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          end();
        }, options.timeoutMs);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  child.stdin.end(options.input ?? "");
  const exit = await live.exit;
  clearTimeout(timer);
  clearTimeout(watch);
  signal?.removeEventListener("abort", end);
  await ended;
  signal?.throwIfAborted();
  for (const input of inputs) input.end();
  return { output: collector.text, exit, timedOut, truncated: collector.truncated };
}

/**
 * Starts a program that is the user's from then on, a browser or a file manager: it is neither waited for nor ended with
 * us. @throws NacreError as `spawn` does
 */
export async function handOver(spec: SpawnSpec): Promise<void> {
  try {
    const child = await launch(spec, {
      env: spec.env ?? childEnvironment(process.env),
      stdio: ["ignore", "ignore", "ignore"],
      detached: process.platform !== "win32",
      ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
    });
    child.unref();
  } catch (error) {
    throw spawnError(spec, error);
  }
}

/** Ends every child of this process and what left their groups. Resolves when nothing of them runs. */
export const stopAllProcesses = (): Promise<void> => children.stopAll();
/** The same at once, for `process.on("exit")`: KILL, without waiting. */
export const killAllProcesses = (): void => children.killAll();
/** Resolves when the helper, where one was started, is ready to start programs or has failed. */
export const helperSettled = (): Promise<void> => children.helper.settled();

interface Started {
  readonly process: SystemProcess;
  readonly live: Live;
}
/** @param merged one stream for both outputs, where the platform has such */
async function start(spec: SpawnSpec, merged: boolean, early = false): Promise<Started> {
  const given = spec.env ?? childEnvironment(process.env);
  const whole = early ? given : await children.withLoginPath(given);
  const { number, name } = children.next();
  const env = { ...whole, [runVariable]: name };
  const own: SpawnSpec = { ...spec, env };
  try {
    const started = (await startByHelper(own, number, merged)) ?? (await startHere(own, merged));
    return { process: started, live: children.add(number, name, started, spec.guardian) };
  } catch (error) {
    throw spawnError(spec, error);
  }
}
/** Undefined where this process starts it itself: it is small, or has no helper yet. */
async function startByHelper(
  spec: SpawnSpec,
  number: number,
  merged: boolean,
): Promise<SystemProcess | undefined> {
  // Windows copies no memory to start a program.
  if (process.platform === "win32" || process.memoryUsage.rss() < helperAbove) return undefined;
  const { command, args, cwd = process.cwd(), env = {}, inputs = [] } = spec;
  if (children.helper.isReady)
    return children.helper.spawn({
      number,
      command,
      args,
      cwd,
      env: defined(env),
      merged,
      inputs: inputs.map((bytes) => Buffer.from(bytes).toString("base64")),
    });
  children.helper.start();
  return undefined;
}
const defined = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

async function startHere(spec: SpawnSpec, merged: boolean): Promise<SystemProcess> {
  const pair = merged && process.platform !== "win32" ? await outputPair() : undefined;
  const output = pair?.theirs ?? "pipe";
  try {
    const child = await launch(spec, {
      env: spec.env,
      stdio: ["pipe", output, output],
      windowsHide: true,
      detached: process.platform !== "win32",
      ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
    });
    const { pid, stdin, stdout, stderr } = child;
    const outputs = pair ? [pair.ours] : [stdout, stderr].filter((stream) => stream !== null);
    if (pid === undefined || !stdin)
      throw new NacreError("internal", `${spec.command} started without pipes`);
    const exit = new Promise<Exit>((resolve) =>
      child.once("exit", (code, signal) => resolve({ code, signal })),
    );
    // A child that ends before it read its input, or a reset pipe: what happened stands in `exit`.
    for (const stream of [stdin, ...outputs]) stream.on("error", () => undefined);
    return { pid, stdin, outputs, exit };
  } catch (error) {
    pair?.ours.destroy();
    throw error;
  } finally {
    pair?.theirs.destroy();
  }
}
/** Undefined where no socket can be made: then there are two pipes, and the order between them is lost. */
async function outputPair(): Promise<SocketPair | undefined> {
  const { socketPair } = await import("./socket-pair.ts");
  return socketPair().catch(() => undefined);
}
