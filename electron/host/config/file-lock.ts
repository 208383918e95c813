import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import {
  isAlive,
  ownIdentity,
  parseIdentity,
  parseJson,
  type ProcessIdentity,
} from "../kit/process-identity.ts";
import { readText, sha256, systemCode } from "../kit/files.ts";

const retryMs = 15;
const giveUpMs = 10_000;
/** Making a lock takes milliseconds: one that names nobody for so long was never written to its end. */
const staleMs = 5_000;
/** Whether its holder lives cannot be known from here (another container, a number given anew): then its age decides. */
const longestMs = 60_000;

/**
 * Runs `work` while no other host that sees the same files writes `file` (a real path). The lock lies in `folder`, not beside
 * the file: foreign folders stay clean. @throws NacreError `locked` where it cannot be had within 10 s.
 */
export async function withFileLock<T>(folder: string, file: string, work: () => Promise<T>): Promise<T> {
  const lock = path.join(folder, `${sha256(file).slice(0, 32)}.lock`);
  const own = ownIdentity();
  const mine = JSON.stringify({ ...own, token: randomBytes(8).toString("hex") });
  await fs.promises.mkdir(folder, { recursive: true });
  const until = performance.now() + giveUpMs;
  while (!makeOnce(lock, mine)) {
    removeStale(lock, own);
    if (performance.now() > until)
      throw new NacreError(
        "locked",
        `${file} is being written by another program; try again (lock: ${lock})`,
      );
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
  try {
    return await work();
  } finally {
    // Whoever took it for left behind has one of its own by now.
    if (readText(lock) === mine) await fs.promises.rm(lock, { force: true });
  }
}
/** False where it is there. */
function makeOnce(file: string, text: string): boolean {
  try {
    fs.writeFileSync(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    const code = systemCode(error);
    // Windows names a file that is just being removed so.
    if (code === "EEXIST" || (code === "EPERM" && process.platform === "win32")) return false;
    throw error;
  }
}
/**
 * Takes away what a crash left. One host at a time looks and removes, at one go, so that none removes the lock that
 * another has just made in its place.
 */
function removeStale(lock: string, own: ProcessIdentity): void {
  if (!isStale(lock, own)) return;
  const taking = `${lock}.taking`;
  if (!makeOnce(taking, JSON.stringify(own))) {
    if (isStale(taking, own)) fs.rmSync(taking, { force: true });
    return;
  }
  try {
    if (isStale(lock, own)) fs.rmSync(lock, { force: true });
  } finally {
    fs.rmSync(taking, { force: true });
  }
}
function isStale(lock: string, own: ProcessIdentity): boolean {
  const stat = fs.statSync(lock, { throwIfNoEntry: false });
  // Given back in this moment: the next try finds it free.
  if (!stat) return false;
  const age = Date.now() - stat.mtimeMs;
  const holder = parseIdentity(parseJson(readText(lock) ?? ""));
  if (holder === undefined) return age > staleMs;
  const alive = isAlive(holder, own);
  return alive === undefined ? age > longestMs : !alive;
}
