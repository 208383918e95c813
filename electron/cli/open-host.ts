import { statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { NacreError } from "../../shared/errors.ts";
import { appPaths } from "../host/config/paths.ts";
import { createHost, type Host, type HostOptions } from "../host/host.ts";
import { forkHelper } from "../host/kit/helper/fork-helper.ts";
import { killAllProcesses } from "../host/kit/process.ts";
import { UsageError, wholeNumber, type Arguments } from "./arguments.ts";
import { onHangUp } from "./hang-up.ts";
import { heldBackLines } from "./held-back.ts";
import { exitCodes, printError } from "./output.ts";
import { waitingHint } from "./waiting-text.ts";

// However this process ends, no child of it goes on.
process.on("exit", killAllProcesses);

/** The folder that `--workspace` names. @throws UsageError where it is none */
export function workspaceOf(args: Arguments): string {
  const folder = path.resolve(args.text("workspace") ?? ".");
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (!stat) throw new UsageError(`--workspace: there is no folder ${folder}`);
  if (!stat.isDirectory()) throw new UsageError(`--workspace: ${folder} is no folder`);
  return folder;
}

/** The options that every host of this command line shares. */
export const hostOptions = (args: Arguments, more: Partial<HostOptions> = {}): HostOptions => ({
  workspace: workspaceOf(args),
  env: process.env,
  paths: appPaths(process.env, os.homedir(), process.platform),
  version: __NACRE_VERSION__,
  shell: "cli",
  canAsk: false,
  built: args.built,
  programs: { startHelper: (env) => forkHelper(path.join(args.built, "helper.cjs"), env) },
  ...more,
});

/**
 * Runs `work` with a host that starts nothing but what the work starts, and stops it in every case. `signal` is aborted
 * by the first SIGINT or SIGTERM, from the very beginning; a second one ends the process at once, with its children. A
 * terminal that hangs up stops the work, too.
 */
export async function withHost<T>(
  args: Arguments,
  work: (host: Host, signal: AbortSignal) => Promise<T>,
  more: Partial<HostOptions> = {},
): Promise<T> {
  const stop = new AbortController();
  const abort = (): void => stop.abort(new NacreError("stopped", "stopped"));
  const interrupt = (): void => {
    if (stop.signal.aborted) process.exit(exitCodes.interrupted);
    abort();
  };
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  // Not where there is none: who starts it with nohup wants it to go on.
  if ([process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)) onHangUp(abort);
  const host = await createHost(hostOptions(args, more));
  try {
    return await work(host, stop.signal);
  } finally {
    await host.stop();
  }
}

/** Starts trusted servers and waits for them up to `--wait` seconds (30; 0 starts none) (cli.md). */
export async function startServers(host: Host, args: Arguments, signal: AbortSignal): Promise<void> {
  const seconds = wholeNumber(args, "wait", 0) ?? 30;
  if (seconds === 0) return;
  await host.start();
  const { notReady } = await host.settled(seconds * 1000, signal);
  if (notReady.length > 0) printError(`not ready: ${notReady.join(", ")}`);
  for (const line of heldBackLines(host)) printError(line);
}

/** The summary line and, where declarations wait, the hint with their number (cli.md). */
export function printSummary(host: Host): void {
  printError(host.summary());
  const hint = waitingHint(host.waiting().length, host.trust.isTrusted());
  if (hint !== undefined) printError(hint);
}
