import fs from "node:fs";
import { systemCode } from "./files.ts";

/** What `/proc/<pid>/stat` tells of one process (proc_pid_stat(5)). */
export interface ProcessStat {
  readonly pid: number;
  /** `Z` and `X` have ended and only wait to be collected. */
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  /** In clock ticks since boot: with the pid it names one process for good. */
  readonly start: string;
}

/** Undefined where there is no such process, or no `/proc` at all (macOS, Windows). */
export function processStat(pid: number): ProcessStat | undefined {
  const text = readProc(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name in brackets may hold anything, brackets too.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", parent, group] = fields;
  return { pid, state, parent: Number(parent), group: Number(group), start: fields[19] ?? "" };
}
const hasEnded = (stat: ProcessStat): boolean => stat.state === "Z" || stat.state === "X";

/** Whether the process runs; one that has ended and was not collected does not. */
export function isRunning(pid: number): boolean {
  const stat = processStat(pid);
  return stat ? !hasEnded(stat) : exists(pid);
}

/** Whether a process group is known at all; cheap, and true also where all of it have ended and wait to be collected. */
export const groupExists = (group: number): boolean => exists(-group);

/** Whether anything of a process group still runs. */
export function groupIsRunning(group: number): boolean {
  if (!groupExists(group)) return false;
  if (process.platform !== "linux") return true;
  // Where nobody collects ended processes (some containers) the group exists for ever.
  return membersOf(group).length > 0;
}
/** What still runs of a process group. Linux only. */
export const membersOf = (group: number): ProcessStat[] =>
  allProcesses().flatMap((pid) => {
    const stat = processStat(pid);
    return stat !== undefined && stat.group === group && !hasEnded(stat) ? [stat] : [];
  });
function exists(pidOrGroup: number): boolean {
  try {
    process.kill(pidOrGroup, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and is somebody else's.
    return systemCode(error) === "EPERM";
  }
}

/** Runs a program of the system and gives what it prints; empty where it fails. */
export type AskSystem = (command: string, args: readonly string[]) => string;

/**
 * Processes whose environment at their start held `NAME=` with a value that begins so. Linux takes some milliseconds;
 * macOS asks `ps`, which shows the environments of one's own processes; on Windows none are found.
 */
export function processesWith(name: string, valueStart: string, askSystem?: AskSystem): number[] {
  if (process.platform === "darwin")
    return askSystem ? listedWith(askSystem("ps", ["-axwwE", "-o", "pid=,command="]), name, valueStart) : [];
  if (process.platform !== "linux") return [];
  const wanted = `\0${name}=${valueStart}`;
  return allProcesses().filter((pid) => {
    if (pid === process.pid) return false;
    const environment = readProc(`/proc/${pid}/environ`);
    return environment !== undefined && `\0${environment}`.includes(wanted);
  });
}
/** The same of what `ps -axwwE -o pid=,command=` printed: the environment stands behind the command, in words. */
export function listedWith(listed: string, name: string, valueStart: string): number[] {
  return listed.split("\n").flatMap((line) => {
    const pid = Number(/^\s*(\d+)\s/.exec(line)?.[1]);
    return pid > 0 && pid !== process.pid && line.includes(` ${name}=${valueStart}`) ? [pid] : [];
  });
}
function allProcesses(): number[] {
  return fs
    .readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0);
}
/** Undefined for what ended meanwhile or belongs to somebody else. */
function readProc(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "latin1");
  } catch {
    // Processes come and go while one looks, and others' environments are closed to us: both mean "not ours".
    return undefined;
  }
}
