import { fork } from "node:child_process";
import type { ForkOptions, UtilityProcess } from "electron";
import { app } from "./app.ts";

interface Surface extends Pick<UtilityProcess, "pid" | "kill"> {
  once(event: "exit", listener: (code: number) => void): void;
}

/** `utilityProcess`, as a plain fork of Node: no channel to the parent, ended with it by nobody. */
export const utilityProcess = {
  fork(entry: string, args: string[] = [], { env, cwd, stdio = "inherit" }: ForkOptions = {}): Surface {
    app.needReady("utilityProcess.fork");
    if (stdio !== "ignore")
      throw new Error(`stdio ${String(stdio)} of a utility process is not in the stand-in`);
    const child = fork(entry, args, {
      env: { ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    // The process has no reason to wait for it: Electron's does not either.
    child.unref();
    child.channel?.unref();
    return {
      pid: child.pid,
      kill: () => child.kill("SIGTERM"),
      once: (event, listener) => void child.once(event, (code) => listener(code ?? 0)),
    };
  },
};
