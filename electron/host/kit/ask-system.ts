import { childEnvironment } from "./environment.ts";
import { childProcesses } from "./launch.ts";

/** As `AskSystem`. Waits; only for what cannot wait otherwise, at most 10 s. */
export function askSystem(command: string, args: readonly string[]): string {
  const { stdout } = childProcesses().spawnSync(command, [...args], {
    encoding: "utf8",
    env: childEnvironment(process.env),
    timeout: 10_000,
    windowsHide: true,
    maxBuffer: 2 ** 26,
  });
  // Null where it did not start, whatever the types say.
  return stdout ?? "";
}
