import { groupExists, groupIsRunning, type AskSystem, processesWith } from "./process-table.ts";

/** Each child has its run's name in its environment, so that what left its group can be found. */
export const runVariable = "NACRE_RUN_ID";
/** From TERM to KILL (spec 4, Processes), ms. */
const usualGrace = 2_000;
/** What survives KILL for so long hangs in the kernel; nobody can wait for that. */
const patience = 2_000;

/** Ends a process group: TERM, after 2 s KILL. Resolves when nothing of it runs. POSIX only. @param grace ms */
export async function endGroup(group: number, grace: number = usualGrace): Promise<void> {
  signalQuietly(-group, "SIGTERM");
  if (await groupEnds(group, grace)) return;
  signalQuietly(-group, "SIGKILL");
  await groupEnds(group, patience);
}

/** Kills what carries the run's name and left its group. A name that others begin with stands for them all. */
export function killEscaped(run: string, askSystem?: AskSystem): void {
  // One that starts another while we look is caught in the next round.
  for (let round = 0; round < 5; round++) {
    const escaped = processesWith(runVariable, run, askSystem);
    if (escaped.length === 0) return;
    for (const pid of escaped) signalQuietly(pid, "SIGKILL");
  }
}

/** Sends a signal to what may have ended already. */
export function signalQuietly(pidOrGroup: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pidOrGroup, signal);
  } catch (error) {
    // ESRCH: it ended before us. EPERM: macOS says so of a group of which all have ended.
    const code = (error as { code?: unknown }).code;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

async function groupEnds(group: number, limit: number): Promise<boolean> {
  const until = performance.now() + limit;
  for (let wait = 2; groupExists(group); wait = Math.min(wait * 2, 50)) {
    // Most end at once; only for the others the long look is worth it.
    if (wait === 50 && !groupIsRunning(group)) return true;
    if (performance.now() >= until) return false;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return true;
}
