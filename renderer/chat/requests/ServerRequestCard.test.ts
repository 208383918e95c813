import { flushPromises, type VueWrapper } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { guardMs } from "../../../shared/approval-keys.ts";
import { NacreError } from "../../../shared/errors.ts";
import type { McpRequestView } from "../../../shared/mcp-request.ts";
import { dismissFailure, failures } from "../../failures.ts";
import { mcpRow } from "../../fixtures.testing.ts";
import { mountApp } from "../../mount.testing.ts";
import { memoryRpc } from "../../rpc.testing.ts";
import ServerRequestCard from "./ServerRequestCard.vue";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  for (const { id } of failures.value) dismissFailure(id);
});
const form: McpRequestView = {
  id: "r1",
  kind: "form",
  server: "tickets",
  message: "Which ticket?\u202E",
  schema: {
    type: "object",
    properties: { key: { type: "string", title: "Key" }, open: { type: "boolean", default: true } },
    required: ["key"],
  },
};
const url: McpRequestView = {
  id: "r2",
  kind: "url",
  server: "tickets",
  message: "Please pay",
  url: "https://pay.example.com/order?id=7",
};
const sampling: McpRequestView = {
  id: "r3",
  kind: "sampling",
  server: "tickets",
  system: "You are terse.",
  messages: Array.from({ length: 30 }, (_, index) => ({ role: "user" as const, text: `message ${index}` })),
  maxTokens: 200,
  model: "openai-compatible/any",
};
const show = (request: McpRequestView, rpc = memoryRpc(), total = 1) =>
  mountApp(ServerRequestCard, {
    rpc,
    props: { request, total },
    view: { mcp: [mcpRow({ name: "tickets", origin: "workspace" })] },
  });
const later = (): void => void vi.advanceTimersByTime(guardMs);
const press = async (wrapper: VueWrapper, name: string): Promise<void> => {
  const button = wrapper.findAll("button").find((one) => one.text().startsWith(name));
  if (!button) throw new Error(`no button ${name}`);
  await button.trigger("pointerdown");
  await button.trigger("click");
  await flushPromises();
};
const key = (on: Element, name: string): void =>
  void on.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
/** Writes into a field as keys do: each heard on the page. */
const type = async (wrapper: VueWrapper, selector: string, text: string): Promise<void> => {
  const field = wrapper.get(selector);
  for (const letter of text) {
    key(field.element, letter);
    vi.advanceTimersByTime(100);
  }
  await field.setValue(text);
};

test("who asks, from where and for what: the server's own words show all of themselves", () => {
  const { wrapper } = show(form, memoryRpc(), 3);
  expect(wrapper.get("h2").text()).toBe("tickets asks you for something");
  expect(wrapper.text()).toContain("MCP server · workspace");
  expect(wrapper.text()).toContain("1 of 3");
  expect(wrapper.get(".ask-m").text()).toBe("Which ticket?⟨U+202E⟩");
});
test("a form is answered with what was filled in, the proposed values with it", async () => {
  const { rpc, wrapper } = show(form);
  expect(document.activeElement).toBe(wrapper.get("input").element);
  later();
  await type(wrapper, "input", "NAC-7");
  key(wrapper.get("input").element, "Enter");
  await flushPromises();
  expect(rpc.calls).toEqual([
    { method: "mcp.answer", input: { id: "r1", action: "accept", content: { key: "NAC-7", open: true } } },
  ]);
});
test("who goes on typing when the card comes answers nothing, by no key and no press of the pointer", async () => {
  const { rpc, wrapper } = show(form);
  await press(wrapper, "Decline");
  await type(wrapper, "input", "and then");
  key(wrapper.get("input").element, "Enter");
  key(wrapper.get("input").element, "Escape");
  await flushPromises();
  expect(rpc.calls).toEqual([]);
});
test.each([
  ["Decline", "decline"],
  ["Cancel", "cancel"],
])("%s says so to the server, for every kind", async (name, action) => {
  for (const request of [form, url, sampling]) {
    const { rpc, wrapper } = show(request);
    later();
    await press(wrapper, name);
    expect(rpc.calls).toEqual([{ method: "mcp.answer", input: { id: request.id, action } }]);
    wrapper.unmount();
  }
});
test("a page is opened by a press alone, and the server is told then", async () => {
  const { rpc, wrapper } = show(url);
  await flushPromises();
  expect(rpc.calls).toEqual([]);
  expect(wrapper.get(".address").text()).toContain("https://pay.example.com/order?id=7");
  expect(wrapper.get(".address .host").text()).toBe("pay.example.com");
  expect(document.activeElement?.textContent).toContain("Decline");
  later();
  await press(wrapper, "Open the page");
  expect(rpc.calls).toEqual([
    { method: "app.openLink", input: { url: url.url } },
    { method: "mcp.answer", input: { id: "r2", action: "accept" } },
  ]);
});
test("where no browser can be had nothing is agreed to until the person says it was opened", async () => {
  const rpc = memoryRpc({
    "app.openLink": () => {
      throw new NacreError("unavailable", "no browser could be opened");
    },
  });
  const { wrapper } = show({ id: "r4", kind: "sign_in", server: "tickets", url: url.url }, rpc);
  later();
  await press(wrapper, "Sign in in the browser");
  expect(rpc.calls.map(({ method }) => method)).toEqual(["app.openLink"]);
  expect(failures.value.at(-1)?.message).toBe("no browser could be opened");
  await press(wrapper, "I have opened it myself");
  expect(rpc.calls.at(-1)?.input).toEqual({ id: "r4", action: "accept" });
});
test("an address that hides its host cannot be opened, and the card says why", async () => {
  const { rpc, wrapper } = show({ ...url, url: "https://github.com@evil.example/" });
  later();
  await press(wrapper, "Open the page");
  expect(rpc.calls).toEqual([]);
  expect(wrapper.get("[role=alert]").text()).toContain("hides its host");
});
test("all that the model would be sent can be read before it is let answer", async () => {
  const { rpc, wrapper } = show(sampling);
  expect(wrapper.text()).toContain("openai-compatible/any");
  expect(wrapper.text()).toContain("at most 200 tokens");
  expect(wrapper.text()).toContain("You are terse.");
  expect(wrapper.text()).not.toContain("message 29");
  later();
  await press(wrapper, "Show 10 more messages");
  expect(wrapper.text()).toContain("message 29");
  await press(wrapper, "Let it answer");
  expect(rpc.calls).toEqual([{ method: "mcp.answer", input: { id: "r3", action: "accept" } }]);
});
