import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NacreError } from "../shared/errors.ts";
import { act, dismissFailure, failures, keepFailures, reportFailure } from "./failures.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => failures.value.forEach(({ id }) => dismissFailure(id)));

test("an action that fails is shown with its code and can be dismissed", async () => {
  act(() => Promise.reject(new NacreError("denied", "the grant is spent")));
  await Promise.resolve();
  await Promise.resolve();
  expect(failures.value).toMatchObject([{ code: "denied", message: "the grant is spent" }]);
  dismissFailure(failures.value[0]?.id ?? 0);
  expect(failures.value).toEqual([]);
});

test("the same message is shown once, and no more than three", () => {
  for (const message of ["a", "a", "b", "c", "d"]) reportFailure(new Error(message));
  expect(failures.value.map(({ message }) => message)).toEqual(["b", "c", "d"]);
});

test("the same failure twice in a row stays where it is and has its time again", () => {
  reportFailure(new Error("a"));
  const [first] = failures.value;
  vi.advanceTimersByTime(9000);
  reportFailure(new Error("a"));
  expect(failures.value).toEqual([first]);
  vi.advanceTimersByTime(9000);
  expect(failures.value).toEqual([first]);
  vi.advanceTimersByTime(1000);
  expect(failures.value).toEqual([]);
});

test("a failure ends after ten seconds, but not while it is kept", () => {
  reportFailure(new Error("a"));
  keepFailures(true);
  reportFailure(new Error("b"));
  vi.advanceTimersByTime(60_000);
  expect(failures.value).toHaveLength(2);
  keepFailures(false);
  vi.advanceTimersByTime(9999);
  expect(failures.value).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(failures.value).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
