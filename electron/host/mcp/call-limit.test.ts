import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CallLimit, CallLimits } from "./call-limit.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());
const never = new AbortController().signal;

it("ends when nothing was heard for its time", () => {
  const limit = new CallLimit(100, 1000, never);
  vi.advanceTimersByTime(60);
  limit.progress();
  vi.advanceTimersByTime(99);
  expect(limit.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect([limit.signal.aborted, limit.over]).toEqual([true, "silence"]);
  limit.end();
});
it("ends at its total time, whatever is heard", () => {
  const limit = new CallLimit(100, 250, never);
  for (let ms = 0; ms < 240; ms += 40) {
    vi.advanceTimersByTime(40);
    limit.progress();
  }
  expect(limit.signal.aborted).toBe(false);
  vi.advanceTimersByTime(10);
  expect([limit.signal.aborted, limit.over]).toEqual([true, "total"]);
  limit.end();
});
it("stands still while a person is waited for, however many questions overlap", () => {
  const limit = new CallLimit(100, 250, never);
  vi.advanceTimersByTime(90);
  const [first, second] = [limit.pause(), limit.pause()];
  vi.advanceTimersByTime(5000);
  first();
  first();
  vi.advanceTimersByTime(5000);
  expect(limit.signal.aborted).toBe(false);
  second();
  vi.advanceTimersByTime(9);
  expect(limit.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(limit.over).toBe("silence");
  limit.end();
});
it("takes the reason of who else ends the call, and leaves no timer", async () => {
  const stop = new AbortController();
  const limits = new CallLimits();
  const call = limits.within(100, stop.signal, ({ signal }) => {
    const ended = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    stop.abort(new Error("enough"));
    return ended;
  });
  await expect(call).rejects.toThrow("enough");
  limits.pause()();
  expect(vi.getTimerCount()).toBe(0);
  await expect(limits.within(100, stop.signal, () => Promise.resolve())).rejects.toThrow("enough");
});
