import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { guardMs, pointerGuardMs } from "../../shared/approval-keys.ts";
import { mountApp } from "../mount.testing.ts";
import QuestionCard from "./QuestionCard.vue";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const show = () =>
  mountApp(QuestionCard, {
    props: {
      question: {
        id: "q1",
        sessionId: "s1",
        question: "Delete everything?",
        options: ["yes", "no"],
        callId: "c",
      },
    },
  });
const type = (field: Element, text: string): void => {
  for (const key of text) {
    field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    vi.advanceTimersByTime(130);
  }
};

test("who goes on typing when the question comes does not answer it with Enter", async () => {
  const { rpc, wrapper } = show();
  const field = wrapper.get("input");
  type(field.element, "yes please");
  await field.setValue("yes please");
  field.element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  await wrapper.get("form").trigger("submit");
  expect(rpc.calls).toEqual([]);
});
test("what was typed after a look is the answer, at whatever pace", async () => {
  const { rpc, wrapper } = show();
  const field = wrapper.get("input");
  vi.advanceTimersByTime(guardMs);
  type(field.element, "no!");
  await field.setValue("no!");
  field.element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  await wrapper.get("form").trigger("submit");
  expect(rpc.calls.map(({ input }) => input)).toEqual([{ id: "q1", text: "no!" }]);
});
test("a press on an answer counts when it began after the card had stood for a moment", async () => {
  const { rpc, wrapper } = show();
  const [yes] = wrapper.findAll("button");
  await yes?.trigger("pointerdown");
  await yes?.trigger("click");
  expect(rpc.calls).toEqual([]);
  vi.advanceTimersByTime(pointerGuardMs);
  await yes?.trigger("pointerdown");
  await yes?.trigger("click");
  expect(rpc.calls).toHaveLength(1);
});
