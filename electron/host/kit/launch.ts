import type * as ChildProcesses from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { WindowsCommand } from "./windows-command.ts";

/** What is to be started, as everybody names it; Windows may need other words. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** As in `SpawnSpec`. */
  readonly inputs?: readonly Uint8Array[];
}
interface LaunchOptions extends ChildProcesses.SpawnOptions {
  /** The three standard streams. */
  readonly stdio: Extract<ChildProcesses.StdioOptions, unknown[]>;
}

/** Node's module takes some milliseconds to load: with the first child, not with the app. */
export const childProcesses = (): typeof ChildProcesses => process.getBuiltinModule("node:child_process");

/** Starts a program in this process. Resolves when it runs; rejects with the system's error. */
export async function launch(program: Program, options: LaunchOptions): Promise<ChildProcesses.ChildProcess> {
  const { inputs = [] } = program;
  const { command, args, verbatim } =
    process.platform === "win32" ? await onWindows(program, options) : { ...program, verbatim: false };
  const child = childProcesses().spawn(command, [...args], {
    ...options,
    stdio: [...options.stdio, ...inputs.map(() => "pipe" as const)],
    windowsVerbatimArguments: verbatim,
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  // Node types the first five alone.
  const streams: readonly (Readable | Writable | null | undefined)[] = child.stdio;
  inputs.forEach((bytes, index) => {
    const stream = streams[3 + index];
    if (!stream || !("end" in stream)) return;
    // A child that ends before it read all of it: what happened stands in its exit.
    stream.on("error", () => undefined);
    stream.end(bytes, () => stream.destroy());
  });
  return child;
}

async function onWindows(
  { command, args }: Program,
  { cwd = process.cwd(), env = {} }: ChildProcesses.SpawnOptions,
): Promise<WindowsCommand> {
  const [{ windowsCommand }, escape] = await Promise.all([
    import("./windows-command.ts"),
    import("cross-spawn/lib/util/escape.js"),
  ]);
  return windowsCommand({ command, args, cwd: String(cwd), env }, escape);
}
