import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { systemCode } from "../kit/files.ts";
import { takeLock, type Lock } from "../record/session-lock.ts";
import { Journal, type UndoPorts } from "./journal.ts";

/**
 * Takes back the installs that were cut off (a crash, a kill) and clears their staging folders; those that another
 * living process works on are left alone. Costs one look into a folder where there are none. Has to run before
 * anything reads the files that an install writes.
 * @returns the ids of what was taken back
 */
export async function recoverInstalls(staging: string, ports: UndoPorts): Promise<string[]> {
  const undone: string[] = [];
  for (const name of namesIn(staging)) {
    const folder = path.join(staging, name);
    const lock = tryLock(folder);
    if (!lock) continue;
    try {
      const id = await undoLeftovers(folder, ports);
      if (id !== undefined) undone.push(id);
      fs.rmSync(folder, { recursive: true, force: true });
    } finally {
      await lock.release();
    }
  }
  return undone;
}
/** Takes back what was begun in a staging folder, unless it was done, and empties the folder but for its lock. */
export async function undoLeftovers(folder: string, ports: UndoPorts): Promise<string | undefined> {
  const journal = Journal.read(folder);
  const isDone = journal === undefined || journal.isDone();
  if (!isDone) await journal.undo(ports);
  for (const name of namesIn(folder))
    if (name !== "lock") fs.rmSync(path.join(folder, name), { recursive: true, force: true });
  return isDone ? undefined : journal.id;
}
function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}
function tryLock(folder: string): Lock | undefined {
  try {
    return takeLock(folder);
  } catch (error) {
    if (error instanceof NacreError && error.code === "locked") return undefined;
    throw error;
  }
}
