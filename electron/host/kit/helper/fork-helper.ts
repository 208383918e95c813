import path from "node:path";
import { childProcesses } from "../launch.ts";
import type { HelperProcess } from "./start-helper.ts";

/**
 * Starts the helper process with Node, for shells that run on it. @param entry `helper.cjs`
 * @param environment exactly that of the helper
 */
export function forkHelper(entry: string, environment: NodeJS.ProcessEnv): HelperProcess {
  // It holds no folder of the user's, and no terminal ends it.
  const child = childProcesses().spawn(process.execPath, ["--max-semi-space-size=1", entry], {
    cwd: path.dirname(entry),
    env: environment,
    stdio: "ignore",
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  child.unref();
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });
  return { ended, kill: () => void child.kill("SIGKILL") };
}
