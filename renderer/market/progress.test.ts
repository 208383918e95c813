import { expect, test } from "vitest";
import type { InstallStep } from "../../shared/market.ts";
import { installView } from "./fixtures.testing.ts";
import { nextRun, percentDone, stepRows, type InstallRun } from "./progress.ts";

const run = (...steps: [InstallStep, number][]): InstallRun =>
  steps.reduce<InstallRun | undefined>(
    (before, [step, now]) => nextRun(before, installView({ step }), now),
    undefined,
  ) ?? nextRun(undefined, installView(), 0);

test("a step that follows ends the one before, with its time", () => {
  const rows = stepRows(run(["fetch", 0], ["validate", 400], ["place", 500]));
  expect(rows.slice(0, 6)).toEqual([
    { step: "fetch", state: "done", ms: 400 },
    { step: "validate", state: "done", ms: 100 },
    { step: "plan", state: "done", ms: null },
    { step: "approval", state: "done", ms: null },
    { step: "place", state: "running", ms: null },
    { step: "receipt", state: "waiting", ms: null },
  ]);
});

test("a failure stops at its step, a good end ticks them all", () => {
  const running = run(["fetch", 0], ["place", 10]);
  const failed = nextRun(running, installView({ step: "place", state: "failed", error: "disk full" }), 30);
  expect(stepRows(failed)[4]).toEqual({ step: "place", state: "stopped", ms: 20 });
  expect(stepRows(failed)[5]?.state).toBe("waiting");
  const done = nextRun(running, installView({ step: "enable", state: "done" }), 50);
  expect(stepRows(done).map(({ state }) => state)).toEqual(Array.from({ length: 7 }, () => "done"));
  expect(done.ended).toBe(50);
});

test("the bar never stands still at 0 and is full only at the end", () => {
  expect(percentDone(run(["fetch", 0]))).toBe(7);
  expect(percentDone(run(["enable", 0]))).toBe(93);
  expect(percentDone(nextRun(undefined, installView({ state: "done" }), 0))).toBe(100);
});

test("an install that is tried again begins anew", () => {
  const failed = nextRun(
    run(["fetch", 0], ["place", 10]),
    installView({ step: "place", state: "failed" }),
    20,
  );
  const again = nextRun(failed, installView({ step: "fetch" }), 100);
  expect(again).toEqual({ view: installView({ step: "fetch" }), begun: { fetch: 100 }, ended: null });
});
