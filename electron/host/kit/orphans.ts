import fs from "node:fs";
import path from "node:path";
import { isObject } from "../../../shared/json.ts";
import { systemCode } from "./files.ts";
import { killEscaped } from "./process-group.ts";
import { isAlive, ownIdentity, type ProcessIdentity } from "./process-identity.ts";

/**
 * Notes in `<data>/run` that this process has children, so that they can be found after a crash. Linux only: there a
 * child is known by its run's name. @param run the beginning of the children's run names
 */
export function writeRunFile(folder: string, run: string): void {
  if (process.platform !== "linux") return;
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.writeFileSync(runFile(folder, run), JSON.stringify({ ...ownIdentity(), run }), { mode: 0o600 });
}
export function removeRunFile(folder: string, run: string): void {
  fs.rmSync(runFile(folder, run), { force: true });
}
const runFile = (folder: string, run: string): string => path.join(folder, `${run}json`);

/** Kills what was left behind by processes of ours that died without ending it. Gives the names of their runs. */
export function endOrphans(folder: string): string[] {
  const own = ownIdentity();
  return namesIn(folder).flatMap((name) => {
    const file = path.join(folder, name);
    const { run, identity } = readRunFile(file) ?? {};
    // Of another machine or container nothing is known from here: its file stays.
    if (run === undefined || identity === undefined || isAlive(identity, own) !== false) return [];
    killEscaped(run);
    fs.rmSync(file, { force: true });
    return [run];
  });
}
function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}
/** Undefined for a file that is gone again or is not ours. */
function readRunFile(file: string): { readonly run: string; readonly identity: ProcessIdentity } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { pid, start, boot, namespace, host, run } = value;
  if (typeof pid !== "number" || typeof start !== "string" || typeof boot !== "string") return undefined;
  if (typeof namespace !== "string" || typeof host !== "string" || typeof run !== "string") return undefined;
  // A run's name that is too short would stand for processes of others.
  if (!/^\d+-[0-9a-z]{6,}-[0-9a-z]+\.$/.test(run)) return undefined;
  return { run, identity: { pid, start, boot, namespace, host } };
}
