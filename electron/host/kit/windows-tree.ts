import { childEnvironment } from "./environment.ts";
import { childProcesses, launch, type Program } from "./launch.ts";

/** Ends a process and all that it started, on Windows. @throws the system's error where `taskkill` does not start */
export async function endTree(pid: number): Promise<void> {
  const killer = await launch(taskkill(pid), {
    env: childEnvironment(process.env),
    stdio: ["ignore", "ignore", "ignore"],
    windowsHide: true,
  });
  await new Promise((resolve) => killer.once("close", resolve));
}
/** The same before it returns, where this process itself is ending. */
export function killTreeNow(pid: number): void {
  const { command, args } = taskkill(pid);
  childProcesses().spawnSync(command, args, { env: childEnvironment(process.env), windowsHide: true });
}
const taskkill = (pid: number): Program => ({ command: "taskkill", args: ["/pid", String(pid), "/T", "/F"] });
