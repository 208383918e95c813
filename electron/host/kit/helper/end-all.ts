import { endGroup, killEscaped } from "../process-group.ts";
import { processStat, type AskSystem } from "../process-table.ts";
import type { Watched } from "./protocol.ts";

/** From TERM to KILL where the host is gone, ms: what it started has to be dead 3 s after it. */
const grace = 1_000;

/**
 * Ends every group, then what carries the run's name and left its group. A group whose number went to another process
 * meanwhile is left alone. POSIX only.
 */
export async function endAll(watched: Iterable<Watched>, run: string, askSystem: AskSystem): Promise<void> {
  const groups = [...watched].filter(({ pid, start }) => {
    const now = processStat(pid)?.start;
    // A number is not given anew while its group has members: one that has ended stands for its group still.
    return now === undefined || start === "" || now === start;
  });
  await Promise.all(groups.map(({ pid }) => endGroup(pid, grace)));
  if (run !== "") killEscaped(run, askSystem);
}
