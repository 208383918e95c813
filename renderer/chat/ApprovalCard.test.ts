import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ApprovalView } from "../../shared/approval.ts";
import { approval } from "../fixtures.testing.ts";
import { mountApp } from "../mount.testing.ts";
import ApprovalCard from "./ApprovalCard.vue";
import { guardMs } from "./approval-keys.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const show = (part: Partial<ApprovalView> = {}) =>
  mountApp(ApprovalCard, { props: { approval: approval(part), place: 1, total: 1 } });
const press = (key: string, target: EventTarget = document.body, part = {}): void => {
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...part }));
};
const answers = (rpc: ReturnType<typeof show>["rpc"]) => rpc.calls.map(({ input }) => input);

test.each([
  ["y", "once"],
  ["s", "session"],
  ["a", "always"],
  ["n", "deny"],
])("%s answers %s, bound to the digest that is shown", (key, choice) => {
  const { rpc } = show();
  vi.advanceTimersByTime(guardMs);
  press(key);
  expect(rpc.calls).toEqual([{ method: "approvals.answer", input: { id: "a1", digest: "d1", choice } }]);
});

test("nothing is answered before 300 ms, by key or by button", async () => {
  const { rpc, wrapper } = show();
  press("y");
  await wrapper.get("[data-once]").trigger("click");
  expect(rpc.calls).toEqual([]);
});

test("keys in a field, elsewhere on the page and Escape answer nothing", () => {
  const { rpc } = show();
  vi.advanceTimersByTime(guardMs);
  const field = document.body.appendChild(document.createElement("input"));
  const link = document.body.appendChild(document.createElement("a"));
  press("y", field);
  press("y", link);
  press("Escape");
  press("y", document.body, { isComposing: true });
  expect(rpc.calls).toEqual([]);
  field.remove();
  link.remove();
});

test("the focus starts on Allow once, on Deny where care is due", () => {
  const { wrapper } = show();
  expect(document.activeElement?.textContent).toContain("Allow once");
  wrapper.unmount();
  show({ careful: true });
  expect(document.activeElement?.textContent).toContain("Deny");
});

test("without a rule nothing is remembered: there is neither always nor this session", async () => {
  const { rpc, wrapper } = show({ rule: null });
  vi.advanceTimersByTime(guardMs);
  press("a");
  press("s");
  expect(rpc.calls).toEqual([]);
  for (const name of ["Always allow here", "Allow for this session"]) {
    const button = wrapper.findAll("button").find((one) => one.text().includes(name));
    expect(button?.attributes("disabled"), name).toBeDefined();
  }
});

test("a note goes with the denial", async () => {
  const { rpc, wrapper } = show();
  const add = wrapper.findAll("button").find((button) => button.text() === "Add a note");
  await add?.trigger("click");
  await wrapper.get("input").setValue("use the staging host");
  vi.advanceTimersByTime(guardMs);
  await wrapper.get("form").trigger("submit");
  expect(answers(rpc)).toEqual([{ id: "a1", digest: "d1", choice: "deny", note: "use the staging host" }]);
});

test("arguments stand apart and hidden characters show", () => {
  const { wrapper } = show({ facts: [{ label: "command", values: ["rm", "a b", "x\u202Ey"] }] });
  expect(wrapper.findAll(".argv li").map((item) => item.text())).toEqual(["rm", "a b", "x⟨U+202E⟩y"]);
});

test("two keys in a row answer once", () => {
  const { rpc } = show();
  vi.advanceTimersByTime(guardMs);
  press("y");
  press("n");
  expect(rpc.calls).toHaveLength(1);
});
