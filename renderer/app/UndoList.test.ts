import { flushPromises } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { mountApp } from "../mount.testing.ts";
import { dismissUndo, offerUndo, undoables } from "./undo.ts";
import UndoList from "./UndoList.vue";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const { id } of undoables.value) dismissUndo(id);
  vi.useRealTimers();
});

test("what was taken away can be brought back for ten seconds, and it is said where it lies", async () => {
  const { wrapper } = mountApp(UndoList);
  const undone: string[] = [];
  offerUndo({ text: "pdf is in the trash.", place: "/trash/pdf", undo: async () => undone.push("pdf") });
  await wrapper.vm.$nextTick();
  expect(wrapper.get("[role=status]").text()).toContain("/trash/pdf");
  await wrapper.findAll("button")[0]?.trigger("click");
  await flushPromises();
  expect([undone, undoables.value]).toEqual([["pdf"], []]);
  offerUndo({ text: "x", place: "", undo: async () => undone.push("x") });
  vi.advanceTimersByTime(10_000);
  expect([undone, undoables.value]).toEqual([["pdf"], []]);
});

test("it does not go while the pointer is on the list, also after one beside it was dismissed", async () => {
  const { wrapper } = mountApp(UndoList);
  offerUndo({ text: "a", place: "", undo: async () => null });
  offerUndo({ text: "b", place: "", undo: async () => null });
  await wrapper.get(".stack").trigger("pointerenter");
  vi.advanceTimersByTime(60_000);
  expect(undoables.value).toHaveLength(2);
  await wrapper.get("[aria-label=Dismiss]").trigger("click");
  expect(undoables.value.map(({ text }) => text)).toEqual(["b"]);
  vi.advanceTimersByTime(60_000);
  expect(undoables.value).toHaveLength(1);
  await wrapper.get(".stack").trigger("pointerleave");
  vi.advanceTimersByTime(10_000);
  expect(undoables.value).toEqual([]);
});
