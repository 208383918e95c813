import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { spawn } from "../kit/process.ts";
import { ownIdentity } from "../kit/process-identity.ts";
import { lockState, takeLock } from "./session-lock.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-lock-"));
  file = path.join(folder, "lock");
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));
const own = ownIdentity();
/** A lock as another process would have left it, touched so many seconds ago. */
function leave(holder: object | string, secondsAgo: number): void {
  fs.writeFileSync(
    file,
    typeof holder === "string" ? holder : JSON.stringify({ ...own, token: "other", ...holder }),
  );
  const then = Date.now() / 1000 - secondsAgo;
  fs.utimesSync(file, then, then);
}
async function endedPid(): Promise<number> {
  const child = await spawn({ command: process.execPath, args: ["-e", ""] });
  await child.exit;
  return child.pid;
}
const locked = expect.objectContaining({ code: "locked" }) as Error;

describe("the lock", () => {
  it("that a full disk leaves empty is nobody's, and holds the session from nobody", async () => {
    // The disk takes the file's name and nothing of its text.
    vi.spyOn(fs, "writeFileSync").mockImplementationOnce((target) => {
      fs.closeSync(fs.openSync(String(target), "wx"));
      throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    });
    expect(() => takeLock(folder)).toThrow("no space left on device");
    expect(fs.existsSync(file)).toBe(false);
    const lock = takeLock(folder);
    expect(lockState(folder)).toMatchObject({ pid: process.pid });
    await lock.release();
  });
  it("is held by one, who is named", async () => {
    const lock = takeLock(folder);
    expect(() => takeLock(folder)).toThrow(locked);
    expect(() => takeLock(folder)).toThrow(`process ${process.pid} on ${os.hostname()}`);
    expect(lockState(folder)).toMatchObject({ pid: process.pid });
    await lock.release();
    await lock.release();
    expect(fs.readdirSync(folder)).toEqual([]);
    expect(lockState(folder)).toBe("nobody");
    await takeLock(folder).release();
  });
  it("is taken from a dead process at once", async () => {
    leave({ pid: await endedPid() }, 0);
    expect(lockState(folder)).toBe("dead");
    const lock = takeLock(folder);
    expect(lockState(folder)).toMatchObject({ pid: process.pid });
    await lock.release();
    expect(fs.readdirSync(folder)).toEqual([]);
  });
  it.skipIf(own.boot === "")("is taken from a process whose number was given anew", async () => {
    leave({ start: "1" }, 0);
    await takeLock(folder).release();
  });
  it.skipIf(own.boot === "")("stays with a living process that does not touch it", () => {
    leave({}, 3600);
    expect(() => takeLock(folder)).toThrow(locked);
  });
  it.each([
    ["another machine", { boot: "other", host: "other", pid: 1 }],
    ["another container", { namespace: "pid:[1]" }],
  ])("stays with %s while it is touched", async (_, holder) => {
    leave(holder, 20);
    expect(() => takeLock(folder)).toThrow(locked);
    leave(holder, 40);
    expect(lockState(folder)).toBe("dead");
    await takeLock(folder).release();
  });
  it.each(["", "{", "[]", '{"pid":1}'])("stays with who is just writing it: %j", async (text) => {
    leave(text, 0);
    expect(() => takeLock(folder)).toThrow("another process");
    leave(text, 40);
    await takeLock(folder).release();
  });
  it("is not released by one from whom it was taken", async () => {
    const lock = takeLock(folder);
    leave({}, 0);
    await lock.release();
    expect(fs.existsSync(file)).toBe(true);
  });
});
