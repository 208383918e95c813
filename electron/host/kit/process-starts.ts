import { processStat, type AskSystem } from "./process-table.ts";

/** A child as the run file knows it. */
export interface NotedChild {
  readonly pid: number;
  /** Ticks since boot (Linux); elsewhere empty. */
  readonly start: string;
  /** When it was noted, ms since the epoch: right after its start. */
  readonly at: number;
}
/** `ps` and Windows tell starts in whole seconds, and noting takes a moment. */
const tolerance = 2_000;

/**
 * Those of the noted children that still run, each surely the one that was noted: a number that went to another process
 * has another start time. macOS asks `ps`, Windows PowerShell, once for all.
 */
export function stillRunning(
  children: readonly NotedChild[],
  askSystem: AskSystem,
  platform: NodeJS.Platform = process.platform,
): number[] {
  if (children.length === 0) return [];
  if (platform === "linux")
    return children.flatMap(({ pid, start }) =>
      start !== "" && processStat(pid)?.start === start ? [pid] : [],
    );
  const { command, args } = startsQuestion(
    children.map(({ pid }) => pid),
    platform,
  );
  const starts = parseStarts(askSystem(command, args));
  return children.flatMap(({ pid, at }) => {
    const start = starts.get(pid);
    return start !== undefined && Math.abs(start - at) <= tolerance ? [pid] : [];
  });
}
/** What asks the system for start times: lines of a pid and a date that `Date.parse` knows. */
export function startsQuestion(
  pids: readonly number[],
  platform: NodeJS.Platform,
): { readonly command: string; readonly args: readonly string[] } {
  if (platform !== "win32") return { command: "ps", args: ["-o", "pid=,lstart=", "-p", pids.join(",")] };
  const filter = pids.map((pid) => `ProcessId=${pid}`).join(" OR ");
  const script = `Get-CimInstance Win32_Process -Filter "${filter}" | ForEach-Object { "$($_.ProcessId) $($_.CreationDate.ToUniversalTime().ToString('o'))" }`;
  return { command: "powershell.exe", args: ["-NoProfile", "-NonInteractive", "-Command", script] };
}
export function parseStarts(text: string): ReadonlyMap<number, number> {
  const starts = new Map<number, number>();
  for (const line of text.split(/\r?\n/)) {
    const [, pid, date = ""] = /^\s*(\d+)\s+(.+?)\s*$/.exec(line) ?? [];
    const start = Date.parse(date);
    if (!Number.isNaN(start)) starts.set(Number(pid), start);
  }
  return starts;
}
