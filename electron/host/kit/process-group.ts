import { systemCode } from "./files.ts";
import {
  groupExists,
  groupIsRunning,
  membersOf,
  type AskSystem,
  type ProcessStat,
  processesWith,
} from "./process-table.ts";

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

/**
 * The same for a group whose leader, and what the leader itself started, only watch over the rest and take it with them
 * when they end (a sandbox): the rest gets TERM and 2 s before anybody else hears of it. Linux only.
 */
export async function endGuarded(leader: number): Promise<void> {
  const isGuard = ({ pid, parent }: ProcessStat): boolean => pid === leader || parent === leader;
  const [guards, guarded] = [
    membersOf(leader).filter(isGuard),
    membersOf(leader).filter((one) => !isGuard(one)),
  ];
  // Held: the first one that ended would have the guard end, and with it all that still tidies up.
  for (const { pid } of guards) if (pid !== leader) signalQuietly(pid, "SIGSTOP");
  for (const { pid } of guarded) signalQuietly(pid, "SIGTERM");
  await until(() => membersOf(leader).every(isGuard), usualGrace);
  await endGroup(leader);
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

/** The same, resolved when nothing of it runs any more, or when nobody can wait longer. */
export async function endEscaped(run: string, askSystem?: AskSystem): Promise<void> {
  await until(() => {
    killEscaped(run, askSystem);
    return processesWith(runVariable, run, askSystem).length === 0;
  }, patience);
}

/** Sends a signal to what may have ended already. */
export function signalQuietly(pidOrGroup: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pidOrGroup, signal);
  } catch (error) {
    // ESRCH: it ended before us. EPERM: macOS says so of a group of which all have ended.
    const code = systemCode(error);
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

async function groupEnds(group: number, limit: number): Promise<boolean> {
  let looks = 0;
  // Most end at once; only for the others the long look is worth it.
  return until(() => !groupExists(group) || (++looks > 5 && !groupIsRunning(group)), limit);
}
/** False where it is not so within the limit, ms. */
async function until(check: () => boolean, limit: number): Promise<boolean> {
  const end = performance.now() + limit;
  for (let wait = 2; !check(); wait = Math.min(wait * 2, 50)) {
    if (performance.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return true;
}
