import { expect, test } from "vitest";
import { silentLogger } from "./log.ts";
import { unwaited } from "./unwaited.ts";

test("what goes wrong in work that nobody waits for is logged when it happens, and a stop is not held up by it", async () => {
  const logged: unknown[] = [];
  const log = { ...silentLogger, error: (...line: unknown[]) => void logged.push(line) };
  const stop = unwaited(Promise.reject(new Error("no such module")), "it could not be loaded", log);
  // Node ends a process for a rejection that has no handler by then.
  await new Promise((resolve) => setImmediate(resolve));
  expect(logged).toEqual([["it could not be loaded", { error: "no such module" }]]);
  await stop();
});
test("a stop waits for it", async () => {
  let done = false;
  const work = new Promise<void>((resolve) => setTimeout(resolve, 20)).then(() => void (done = true));
  await unwaited(work, "", silentLogger)();
  expect(done).toBe(true);
});
