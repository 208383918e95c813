import fs from "node:fs";
import os from "node:os";
import { isRunning, processStat } from "./process-table.ts";

/** Names one process among all that ever ran, on this machine and on others that see the same files. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in ticks since boot; empty where the platform does not tell. */
  readonly start: string;
  /** Empty where the platform does not tell; so is `namespace`. */
  readonly boot: string;
  readonly namespace: string;
  readonly host: string;
}

/** This process. Reads three small files of `/proc` where there are any. */
export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    start: processStat(process.pid)?.start ?? "",
    boot: readOr("", () => fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    namespace: readOr("", () => fs.readlinkSync("/proc/self/ns/pid")),
    host: os.hostname(),
  };
}
function readOr(fallback: string, read: () => string): string {
  try {
    return read();
  } catch {
    // Only Linux has these; the fallback says "unknown".
    return fallback;
  }
}

/**
 * Whether another process lives: true or false where this can be known from here, undefined where it cannot
 * (another machine, another container, a number that may have been given anew).
 */
export function isAlive(other: ProcessIdentity, own: ProcessIdentity): boolean | undefined {
  if (own.boot !== "" && own.namespace !== "") {
    if (other.boot !== own.boot || other.namespace !== own.namespace) return undefined;
    return isRunning(other.pid) && processStat(other.pid)?.start === other.start;
  }
  if (other.host !== own.host || other.boot !== "") return undefined;
  return isRunning(other.pid) ? undefined : false;
}
