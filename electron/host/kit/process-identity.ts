import fs from "node:fs";
import os from "node:os";
import { isObject } from "../../../shared/json.ts";
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
/** The identity in an object that was read from a file, whatever else it holds; undefined for anything else. */
export function parseIdentity(value: unknown): ProcessIdentity | undefined {
  if (!isObject(value)) return undefined;
  const { pid, start, boot, namespace, host } = value;
  if (typeof pid !== "number" || typeof start !== "string" || typeof boot !== "string") return undefined;
  if (typeof namespace !== "string" || typeof host !== "string") return undefined;
  return { pid, start, boot, namespace, host };
}
/** A line or file of JSON; undefined for one that is torn, or just being written. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Its time decides, or the line before it: whoever reads such files meets them half written.
    return undefined;
  }
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
