import fs from "node:fs";
import { askSystem } from "./ask-system.ts";
import { killEscaped, signalQuietly } from "./process-group.ts";
import { isAlive, ownIdentity } from "./process-identity.ts";
import { stillRunning } from "./process-starts.ts";
import { readRunFiles } from "./run-file.ts";
import { endTree } from "./windows-tree.ts";

/**
 * Kills what was left behind by processes of ours that died without ending it: noted groups, then what carries the run's
 * name. @param folder that of the run files, `<data>/run` @returns the names of their runs
 */
export async function endOrphans(folder: string): Promise<string[]> {
  const own = ownIdentity();
  const ended: string[] = [];
  for (const [file, { run, identity, children }] of readRunFiles(folder)) {
    // Of another machine or container nothing is known from here: its file stays.
    if (isAlive(identity, own) !== false) continue;
    for (const pid of stillRunning(children, askSystem)) {
      if (process.platform === "win32") await endTree(pid);
      else signalQuietly(-pid, "SIGKILL");
    }
    killEscaped(run, askSystem);
    fs.rmSync(file, { force: true });
    ended.push(run);
  }
  return ended;
}
