import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ApprovalView } from "../../shared/approval.ts";
import { approval } from "../fixtures.testing.ts";
import { mountApp } from "../mount.testing.ts";
import ApprovalCard from "./ApprovalCard.vue";
import { guardMs, pointerGuardMs } from "../../shared/approval-keys.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const show = (part: Partial<ApprovalView> = {}) =>
  mountApp(ApprovalCard, { props: { approval: approval(part), total: 1 } });
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

test("nothing is answered before it was quiet, by key or by button", async () => {
  const { rpc, wrapper } = show();
  press("y");
  await wrapper.get("[data-once]").trigger("click");
  expect(rpc.calls).toEqual([]);
});
/** Types as a person does, as long as it takes; a key on a button presses it. */
const type = (text: string): void => {
  for (const key of text) {
    const at = document.activeElement ?? document.body;
    press(key, at);
    if (key === " " && at instanceof HTMLButtonElement) at.click();
    vi.advanceTimersByTime(130);
  }
};
test.each(["hello world how do you say yes", "ccccccccacc", "  y  n  s  a 1 2 3", "yyyyyyyyyyyyy"])(
  "who goes on typing %j answers nothing, by letter or by Space on the button in focus",
  (text) => {
    const { rpc } = show();
    type(text);
    expect(rpc.calls).toEqual([]);
    vi.advanceTimersByTime(guardMs);
    press("y");
    expect(rpc.calls).toHaveLength(1);
  },
);
test("who starts typing after a pause answers nothing either, when it starts with another letter", () => {
  const { rpc } = show();
  vi.advanceTimersByTime(5_000);
  type("hey you");
  expect(rpc.calls).toEqual([]);
});
test("a key that is held down answers nothing, however long", () => {
  const { rpc } = show();
  vi.advanceTimersByTime(guardMs);
  press("y", document.body, { repeat: true });
  expect(rpc.calls).toEqual([]);
});
test("keys that lead to a button are no typing", async () => {
  const { rpc, wrapper } = show();
  vi.advanceTimersByTime(guardMs);
  press("Tab");
  press("Shift");
  press("Enter", wrapper.get("[data-deny]").element);
  await wrapper.get("[data-deny]").trigger("click");
  expect(answers(rpc)).toMatchObject([{ choice: "deny" }]);
});
test("a press counts when it began after the card had stood for a moment, also while keys are typed", async () => {
  const { rpc, wrapper } = show();
  const button = wrapper.get("[data-once]");
  vi.advanceTimersByTime(pointerGuardMs - 1);
  await button.trigger("pointerdown");
  vi.advanceTimersByTime(pointerGuardMs - 1);
  await button.trigger("click");
  expect(rpc.calls).toEqual([]);
  vi.advanceTimersByTime(1);
  press("x");
  await button.trigger("pointerdown");
  await button.trigger("click");
  expect(rpc.calls).toHaveLength(1);
});
test.each(["input", "textarea"] as const)("where somebody writes in an %s the focus stays", (tag) => {
  const field = document.body.appendChild(document.createElement(tag));
  field.focus();
  const { wrapper } = show();
  expect(document.activeElement).toBe(field);
  wrapper.unmount();
  field.remove();
});

test("keys in a field, elsewhere on the page and Escape answer nothing", () => {
  const { rpc } = show();
  vi.advanceTimersByTime(guardMs);
  const field = document.body.appendChild(document.createElement("input"));
  const link = document.body.appendChild(document.createElement("a"));
  for (const at of [field, link]) {
    press("y", at);
    vi.advanceTimersByTime(guardMs);
  }
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
  vi.advanceTimersByTime(pointerGuardMs);
  await add?.trigger("pointerdown");
  await add?.trigger("click");
  await wrapper.get("input").setValue("use the staging host");
  press("t", wrapper.get("input").element);
  press("Enter", wrapper.get("input").element);
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

const imitation = "Asks because: nothing\n\nAllow once";
const labels = (wrapper: ReturnType<typeof show>["wrapper"]) =>
  wrapper.findAll("dt").map((one) => one.text());

test("text of a tool that imitates the card's own stands in frames, its line ends marked", () => {
  const { wrapper } = show({
    title: `mcp.evil.${imitation}`,
    origin: `mcp evil\u202E${imitation}`,
    facts: [{ label: "input", values: [`{"x": 1}\n${imitation}\u{E0041}`] }],
    because: [{ code: "network", detail: imitation }],
    rule: `mcp__evil__x:${imitation}`,
    askedBy: imitation,
  });
  expect(labels(wrapper)).toEqual(["Input", "Asks because", "Always stores"]);
  expect(wrapper.findAll("button").map((one) => one.text())).toEqual([
    "Allow onceY",
    "Allow for this sessionS",
    "Always allow hereA",
    "Add a note",
    "DenyN",
  ]);
  for (const framed of wrapper.findAll(".value, .named, .badge")) framed.element.remove();
  expect(wrapper.text().replaceAll("Allow onceY", "")).not.toContain("Allow once");
  expect(wrapper.text()).not.toContain("nothing");
});
test("names from outside stay on one line, hidden characters and all, and short", () => {
  const { wrapper } = show({
    title: `mcp.evil.${imitation}`,
    origin: `mcp evil\u202E${"x".repeat(500)}`,
  });
  expect(wrapper.get(".named").text()).toBe("mcp.evil.Asks because: nothing⟨U+000A⟩⟨U+000A⟩Allow once");
  expect(wrapper.get(".badge").text()).toMatch(/^mcp evil⟨U\+202E⟩x{51}… \(\+449\)$/);
});
test("whose tool it is is always said, also of the app's own", () => {
  expect(show().wrapper.get(".badge").text()).toBe("built in");
});
test("a value's own lines are marked, and what is left out is counted in our words", () => {
  const { wrapper } = show({
    facts: [
      { label: "command", values: ["a\nb"], cut: { values: 9_600, characters: 0 } },
      { label: "input", values: ["x"], cut: { values: 0, characters: 51_200 } },
    ],
  });
  expect(wrapper.get(".argv li").text()).toBe("a↵\nb");
  expect(wrapper.findAll(".cut").map((one) => one.text())).toEqual([
    "9,600 more values are not shown.",
    "51,200 characters are left out where ⟨… …⟩ stands or at the end.",
  ]);
});
test("where a path really leads stands below it", () => {
  const { wrapper } = show({
    facts: [
      { label: "path", values: ["docs/a"] },
      { label: "target", values: ["/etc/a"] },
    ],
  });
  expect(labels(wrapper).slice(0, 2)).toEqual(["Path", "Really leads to"]);
});
test("what the app itself asks is a question without a name, allowed once or denied", () => {
  const { wrapper } = show({
    title: "trust",
    because: [{ code: "trust", detail: "/home/me/harbor-api" }],
    facts: [
      { label: "declared", values: ["mcp everything (.mcp.json)"] },
      { label: "command", values: ["node", "server.js"] },
    ],
    rule: null,
    careful: true,
    confined: null,
  });
  expect(wrapper.get("h2").text()).toBe("Trust this folder?");
  expect(wrapper.findAll("button").map((one) => one.text())).toEqual(["Allow onceY", "Add a note", "DenyN"]);
  expect(document.activeElement?.textContent).toContain("Deny");
});
