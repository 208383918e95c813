import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { sha256, systemCode } from "../kit/files.ts";

const retryMs = 15;
const giveUpMs = 10_000;
/** A write takes milliseconds: who holds the lock longer than this has died. */
const staleMs = 5_000;

/**
 * Runs `work` while no other host on this machine writes `file` (a real path). The lock lies in `folder`, not beside
 * the file: foreign folders stay clean. @throws NacreError `locked` where it cannot be had within 10 s.
 */
export async function withFileLock<T>(folder: string, file: string, work: () => Promise<T>): Promise<T> {
  const lock = path.join(folder, `${sha256(file).slice(0, 32)}.lock`);
  await fs.promises.mkdir(folder, { recursive: true });
  const until = performance.now() + giveUpMs;
  while (!(await take(lock))) {
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
    await fs.promises.rm(lock, { force: true });
  }
}
async function take(lock: string): Promise<boolean> {
  try {
    const handle = await fs.promises.open(lock, "wx");
    await handle.close();
    return true;
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
  try {
    const { mtimeMs } = await fs.promises.stat(lock);
    if (Date.now() - mtimeMs > staleMs) await fs.promises.rm(lock, { force: true });
  } catch (error) {
    // Given back in this moment: the next try finds it free.
    if (systemCode(error) !== "ENOENT") throw error;
  }
  return false;
}
