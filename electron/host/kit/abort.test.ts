import { expect, test } from "vitest";
import { untilAborted } from "./abort.ts";

const never = new Promise<never>(() => undefined);

test("gives the work's outcome, and listens no longer", async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
  await expect(untilAborted(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
  expect(await untilAborted(Promise.resolve(2), undefined)).toBe(2);
});
test("an abort ends the waiting with its reason, also one that came before", async () => {
  const controller = new AbortController();
  const waiting = untilAborted(never, controller.signal);
  controller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(untilAborted(never, controller.signal)).rejects.toThrow("enough");
});
test("work that fails after the abort is nobody's failure, and a reason that is no error is a stop", async () => {
  const controller = new AbortController();
  let fail = (_error: Error): void => undefined;
  const work = new Promise<void>((_resolve, reject) => (fail = reject));
  const waiting = untilAborted(work, controller.signal);
  controller.abort("because");
  await expect(waiting).rejects.toMatchObject({ code: "stopped" });
  fail(new Error("late"));
  await expect(work).rejects.toThrow("late");
});
