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

test("a failure dismissed by its button holds none that stay", async () => {
  const { wrapper } = mountApp(FailureList);
  reportFailure(new Error("a"));
  reportFailure(new Error("b"));
  await nextTick();
  await wrapper.get(".stack").trigger("focusin");
  await wrapper.get("button").trigger("click");
  expect(failures.value.map(({ message }) => message)).toEqual(["b"]);
  vi.advanceTimersByTime(10_000);
  expect(failures.value).toEqual([]);
});
