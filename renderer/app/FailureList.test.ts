import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { nextTick } from "vue";
import { dismissFailure, failures, reportFailure } from "../failures.ts";
import { mountApp } from "../mount.testing.ts";
import FailureList from "./FailureList.vue";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => failures.value.forEach(({ id }) => dismissFailure(id)));

test.each([
  ["pointerenter", "pointerleave"],
  ["focusin", "focusout"],
])("after %s a failure stays, after %s it ends", async (enter, leave) => {
  const { wrapper } = mountApp(FailureList);
  reportFailure(new Error("the port is taken"));
  await nextTick();
  expect(wrapper.get("[role=alert]").text()).toContain("the port is taken");
  await wrapper.get(".stack").trigger(enter);
  vi.advanceTimersByTime(60_000);
  await nextTick();
  expect(wrapper.findAll(".failure")).toHaveLength(1);
  await wrapper.get(".stack").trigger(leave);
  vi.advanceTimersByTime(10_000);
  await nextTick();
  expect(wrapper.findAll(".failure")).toHaveLength(0);
});

test("a failure dismissed by its button, where the focus was, holds none that stay", async () => {
  const { wrapper } = await withFailures("a", "b");
  wrapper.get<HTMLButtonElement>("button").element.focus();
  await wrapper.get("button").trigger("click");
  expect(messages()).toEqual(["b"]);
  vi.advanceTimersByTime(10_000);
  expect(messages()).toEqual([]);
});
test("with the pointer on the list none ends, also after one was dismissed; nothing of it is left for the next", async () => {
  const { wrapper } = await withFailures("a", "b");
  await wrapper.get(".stack").trigger("pointerenter");
  await wrapper.get("button").trigger("click");
  vi.advanceTimersByTime(60_000);
  expect(messages()).toEqual(["b"]);
  await wrapper.get("button").trigger("click");
  reportFailure(new Error("c"));
  await nextTick();
  vi.advanceTimersByTime(10_000);
  expect(messages()).toEqual([]);
});
test("the focus holds them as long as it is on one that stands, also where a new one pushes that out", async () => {
  const { wrapper } = await withFailures("a", "b", "c");
  wrapper.findAll<HTMLButtonElement>("button")[1]?.element.focus();
  reportFailure(new Error("d"));
  await nextTick();
  vi.advanceTimersByTime(60_000);
  expect(messages()).toEqual(["b", "c", "d"]);
  reportFailure(new Error("e"));
  await nextTick();
  expect(messages()).toEqual(["c", "d", "e"]);
  vi.advanceTimersByTime(10_000);
  expect(messages()).toEqual([]);
});

const messages = (): string[] => failures.value.map(({ message }) => message);
async function withFailures(...texts: readonly string[]): Promise<ReturnType<typeof mountApp>> {
  const app = mountApp(FailureList);
  for (const text of texts) reportFailure(new Error(text));
  await nextTick();
  return app;
}
