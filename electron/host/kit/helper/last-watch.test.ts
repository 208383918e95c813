import { spawn, type ChildProcess } from "node:child_process";
import { afterEach, expect, test } from "vitest";
import { isRunning, processesWith } from "../process-table.ts";
import { LastWatch } from "./last-watch.ts";

let sleeper: ChildProcess | undefined;
afterEach(() => void sleeper?.kill("SIGKILL"));

test.skipIf(process.platform !== "linux")("one that is stopped goes, and ends nothing", async () => {
  const told: string[] = [];
  const mark = `last-watch-${process.pid}`;
  sleeper = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
  const watch = new LastWatch("1-aaaaaa-x.", { PATH: process.env["PATH"], MARK: mark }, (text) =>
    told.push(text),
  );
  watch.tell([sleeper.pid ?? 0]);
  await expect.poll(() => processesWith("MARK", mark)).toHaveLength(1);
  await watch.stop();
  expect(processesWith("MARK", mark)).toEqual([]);
  expect(isRunning(sleeper.pid ?? 0)).toBe(true);
  expect(told).toEqual([]);
});
