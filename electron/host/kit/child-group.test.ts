import { spawn as spawnChild } from "node:child_process";
import { expect, test } from "vitest";
import { ChildGroup } from "./child-group.ts";
import { isRunning } from "./process-table.ts";
import type { Exit } from "./process.ts";

test("where the tree cannot be ended that is told, and the process itself ends", async () => {
  const child = spawnChild(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true });
  const exit = new Promise<Exit>((resolve) =>
    child.once("exit", (code, signal) => resolve({ code, signal })),
  );
  const pid = child.pid ?? 0;
  const told: string[] = [];
  const group = new ChildGroup(
    { pid, stdin: child.stdin, outputs: [], exit },
    {
      report: (text) => told.push(text),
      platform: "win32",
      trees: {
        endTree: () => Promise.reject(new Error("taskkill does not start")),
        killTreeNow: () => undefined,
      },
    },
  );
  await group.end();
  expect(isRunning(pid)).toBe(false);
  expect(told).toEqual([expect.stringContaining("taskkill does not start")]);
});
