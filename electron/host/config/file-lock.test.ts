import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sha256 } from "../kit/files.ts";
import { ownIdentity } from "../kit/process-identity.ts";
import { withFileLock } from "./file-lock.ts";
import { createWorld, type World } from "./world.testkit.ts";

let world: World;
let folder: string;
let lock: string;
beforeEach(() => {
  world = createWorld();
  folder = path.join(world.top, "locks");
  lock = path.join(folder, `${sha256("/f").slice(0, 32)}.lock`);
});
afterEach(() => world.remove());
const own = ownIdentity();
/** A lock as another process would have left it, touched so many seconds ago. */
const leave = (holder: object, secondsAgo: number): void => {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(lock, JSON.stringify({ ...own, token: "left", ...holder }));
  const then = Date.now() / 1000 - secondsAgo;
  fs.utimesSync(lock, then, then);
};
/** Resolves when somebody who waits for the lock has tried to take it a few times, from now on. */
async function triedAgain(): Promise<void> {
  const writes = vi.spyOn(fs, "writeFileSync");
  await vi.waitFor(() =>
    expect(writes.mock.calls.filter(([file]) => file === lock).length).toBeGreaterThan(3),
  );
  writes.mockRestore();
}
const dead = (): object => ({ pid: spawnSync(process.execPath, ["-e", ""]).pid });

test("one after the other, and nothing is left", async () => {
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 20 }, () =>
      withFileLock(folder, "/f", async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setTimeout(resolve, 2));
        inside--;
      }),
    ),
  );
  expect(most).toBe(1);
  expect(fs.readdirSync(folder)).toEqual([]);
});
test("what fails inside gives the lock back", async () => {
  await expect(withFileLock(folder, "/f", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(fs.readdirSync(folder)).toEqual([]);
});
test("a lock that a crash left behind is taken over, by one of many only", async () => {
  leave(dead(), 0);
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 10 }, () =>
      withFileLock(folder, "/f", async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setTimeout(resolve, 2));
        inside--;
      }),
    ),
  );
  expect(most).toBe(1);
  expect(fs.readdirSync(folder)).toEqual([]);
});
test("while one host takes a left lock away no other does: it might be the new one by then", async () => {
  leave(dead(), 0);
  fs.writeFileSync(`${lock}.taking`, "1");
  const order: string[] = [];
  const waiting = withFileLock(folder, "/f", () => Promise.resolve(order.push("second")));
  await triedAgain();
  order.push("first");
  expect(fs.readFileSync(lock, "utf8")).toContain("left");
  fs.rmSync(`${lock}.taking`);
  await waiting;
  expect(order).toEqual(["first", "second"]);
});
test.skipIf(own.boot === "")("one whose number was given to another process is taken over", async () => {
  leave({ start: "1" }, 0);
  expect(await withFileLock(folder, "/f", () => Promise.resolve("in"))).toBe("in");
});
test.each([
  ["another machine", { boot: "other", host: "other" }],
  ["another container", { namespace: "pid:[1]" }],
])("one of %s is left alone for a minute, whoever has its number here", async (_, elsewhere) => {
  leave({ ...dead(), ...elsewhere }, 30);
  const order: string[] = [];
  const waiting = withFileLock(folder, "/f", () => Promise.resolve(order.push("second")));
  await triedAgain();
  order.push("first");
  leave({ ...dead(), ...elsewhere }, 61);
  await waiting;
  expect(order).toEqual(["first", "second"]);
});
test("one that was never written to its end is taken over", async () => {
  leave({}, 6);
  fs.truncateSync(lock);
  fs.utimesSync(lock, 0, 0);
  expect(await withFileLock(folder, "/f", () => Promise.resolve("in"))).toBe("in");
});
test("one that somebody alive holds is waited for, however slow the disk", async () => {
  leave({}, own.boot === "" ? 6 : 3_600);
  const order: string[] = [];
  const waiting = withFileLock(folder, "/f", () => Promise.resolve(order.push("second")));
  await triedAgain();
  order.push("first");
  fs.rmSync(lock);
  await waiting;
  expect(order).toEqual(["first", "second"]);
});
test("a host that slept does not give back the lock of the one that came after it", async () => {
  await withFileLock(folder, "/f", () => Promise.resolve(leave({ token: "later" }, 0)));
  expect(fs.readFileSync(lock, "utf8")).toContain("later");
});
