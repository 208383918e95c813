import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Deadline } from "./deadline.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("a time limit aborts when the time is up", () => {
  const { signal } = new Deadline(100);
  vi.advanceTimersByTime(99);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.reason).toMatchObject({ name: "TimeoutError" });
});
it("a time limit stands still while a person is waited for, however many are", () => {
  const deadline = new Deadline(100);
  vi.advanceTimersByTime(60);
  const [first, second] = [deadline.pause(), deadline.pause()];
  vi.advanceTimersByTime(10_000);
  first();
  first();
  vi.advanceTimersByTime(10_000);
  second();
  vi.advanceTimersByTime(39);
  expect(deadline.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(deadline.signal.aborted).toBe(true);
});
it("a time limit that was ended leaves no timer, and a pause that ends later starts none", () => {
  const deadline = new Deadline(100);
  const resume = deadline.pause();
  deadline.stop();
  resume();
  expect(vi.getTimerCount()).toBe(0);
});
