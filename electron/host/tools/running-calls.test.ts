import { expect, test } from "vitest";
import { RunningCalls } from "./running-calls.ts";

function open(): { readonly call: Promise<void>; end(): void } {
  let end = (): void => undefined;
  const call = new Promise<void>((resolve) => (end = resolve));
  return { call, end: () => end() };
}

test("a session is settled when its last call has ended, also one that came meanwhile, whatever others do", async () => {
  const calls = new RunningCalls();
  const [first, second, other] = [open(), open(), open()];
  void calls.follow("a", first.call);
  void calls.follow("b", other.call);
  let settled = false;
  const waiting = calls.settled("a").then((left) => {
    settled = true;
    return left;
  });
  void calls.follow("a", second.call);
  first.end();
  await first.call;
  await Promise.resolve();
  expect(settled).toBe(false);
  second.end();
  expect(await waiting).toBe(0);
  expect(await new RunningCalls().settled("a")).toBe(0);
  other.end();
  expect(await calls.settled()).toBe(0);
});
test("a call that never ends is not waited for for ever, and is told of", async () => {
  const calls = new RunningCalls(1);
  void calls.follow("a", new Promise(() => undefined));
  expect(await calls.settled("a")).toBe(1);
});
test("a call that fails is a call that has ended", async () => {
  const calls = new RunningCalls();
  await expect(calls.follow("a", Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await calls.settled()).toBe(0);
});
