import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { isObject } from "../../../shared/json.ts";
import { lookAt, readText, systemCode } from "../kit/files.ts";
import {
  isAlive,
  ownIdentity,
  parseIdentity,
  parseJson,
  type ProcessIdentity,
} from "../kit/process-identity.ts";

/** How often the holder touches its lock, and when one that nobody touches is nobody's (architecture, Records), ms. */
const heartbeat = 10_000;
const staleAfter = 30_000;
const attempts = 5;

/** Who holds a lock. */
export interface LockHolder extends ProcessIdentity {
  /** Tells two locks of one process apart. */
  readonly token: string;
}
export interface Lock {
  /** Twice does nothing. */
  release(): Promise<void>;
}
interface Found {
  readonly text: string;
  readonly holder: LockHolder | undefined;
  readonly touched: number;
}

/**
 * Takes a session's lock, also one whose holder has died. @throws NacreError `locked`, which names the holder, or `io`.
 */
export function takeLock(folder: string): Lock {
  const file = path.join(folder, "lock");
  const holder: LockHolder = { ...ownIdentity(), token: randomBytes(8).toString("hex") };
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (writeLock(file, holder)) return hold(file, holder);
    const found = readLock(file);
    if (!found) continue;
    if (isHeld(found, holder)) throw lockedError(folder, found.holder);
    moveAway(file, found, holder.token);
  }
  throw lockedError(folder, readLock(file)?.holder);
}
/** Who holds a session's lock now; `nobody`, or `dead` where somebody took it and died with it. */
export function lockState(folder: string): LockHolder | "nobody" | "dead" {
  const found = readLock(path.join(folder, "lock"));
  if (!found) return "nobody";
  return isHeld(found, ownIdentity()) ? (found.holder ?? unknownHolder) : "dead";
}
/** One who is just writing the lock. */
const unknownHolder: LockHolder = { pid: 0, start: "", boot: "", namespace: "", host: "", token: "" };

function isHeld(found: Found, own: ProcessIdentity): boolean {
  const alive = found.holder && isAlive(found.holder, own);
  // The file's time is the file system's, so it is compared with the file system's neighbour: our own clock.
  return alive ?? Date.now() - found.touched <= staleAfter;
}
function writeLock(file: string, holder: LockHolder): boolean {
  try {
    fs.writeFileSync(file, JSON.stringify(holder), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    // On a full disk the file is made and stays empty: nobody's, it would hold the session.
    fs.rmSync(file, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new NacreError("io", `cannot lock the session, ${file} cannot be written: ${reason}`, {
      cause: error,
    });
  }
}
function readLock(file: string): Found | undefined {
  const stat = lookAt(file);
  if (!stat) return undefined;
  const text = lockText(file, stat);
  return text === undefined ? undefined : { text, holder: parseHolder(text), touched: stat.mtimeMs };
}
/** Empty for what no app has written: a folder, a pipe, a link. Undefined where it is gone. */
const lockText = (file: string, stat: fs.Stats | undefined): string | undefined =>
  stat && (stat.isFile() ? readText(file) : "");
/** Undefined for a lock that is just being written or is none; then its time decides. */
function parseHolder(text: string): LockHolder | undefined {
  const value = parseJson(text);
  const identity = parseIdentity(value);
  const token = isObject(value) ? value["token"] : undefined;
  return identity && typeof token === "string" ? { ...identity, token } : undefined;
}
/** Takes a dead lock out of the way. Where somebody renewed it between our look and our hand, it is given back. */
function moveAway(file: string, found: Found, token: string): void {
  const aside = `${file}.${token}`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    throw new NacreError("io", `cannot take over ${file}`, { cause: error });
  }
  if (lockText(aside, lookAt(aside)) !== found.text) {
    try {
      fs.linkSync(aside, file);
    } catch (error) {
      // EEXIST: a third one holds it by now, and the next attempt meets that one.
      if (systemCode(error) !== "EEXIST")
        throw new NacreError("io", `cannot give back ${file}`, { cause: error });
    }
  }
  fs.rmSync(aside, { recursive: true, force: true });
}
function hold(file: string, holder: LockHolder): Lock {
  const timer = setInterval(() => {
    const now = new Date();
    fs.utimes(file, now, now, () => {
      // Where the folder was deleted meanwhile there is nothing left to hold.
    });
  }, heartbeat);
  timer.unref();
  let released = false;
  return {
    release: async () => {
      if (released) return;
      released = true;
      clearInterval(timer);
      if (readLock(file)?.holder?.token === holder.token) fs.rmSync(file, { force: true });
    },
  };
}
function lockedError(folder: string, holder: LockHolder | undefined): NacreError {
  const session = path.basename(folder);
  const who = holder ? `process ${holder.pid} on ${holder.host}` : "another process";
  return new NacreError(
    "locked",
    `session ${session} is in use by ${who}: wait until its turn has ended, or stop that process`,
    { data: { session, ...(holder ? { pid: holder.pid, host: holder.host } : {}) } },
  );
}
