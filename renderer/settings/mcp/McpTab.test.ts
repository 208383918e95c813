import { flushPromises } from "@vue/test-utils";
import { expect, test } from "vitest";
import type { McpReview } from "../../../shared/contract/mcp.ts";
import { NacreError } from "../../../shared/errors.ts";
import { mcpRow } from "../../fixtures.testing.ts";
import { mountApp } from "../../mount.testing.ts";
import { memoryRpc } from "../../rpc.testing.ts";
import McpTab from "./McpTab.vue";

const review = (name: string): McpReview => ({
  grant: `grant-${name}`,
  name,
  run: {
    what: "",
    command: ["npx", "my server"],
    settings: [{ name: "env.TOKEN", value: "${TOKEN}" }],
  },
  digest: "0123456789abcdef",
});
const host = () =>
  memoryRpc({
    "mcp.logs": () => ({ lines: Array.from({ length: 12 }, (_, index) => `line ${index}`) }),
    "mcp.review": ({ name }) => review(name),
    "mcp.draft": ({ name }) => review(name),
    "tools.list": () => [],
  });
const mcp = [
  mcpRow({ name: "files" }),
  mcpRow({
    name: "sentry",
    state: "failed",
    error: "exit 1",
    stderr: "401 Unauthorized",
    toolCount: 0,
    tools: [],
  }),
  mcpRow({ name: "preview", scope: "workspace", state: "needs_approval", id: "mcp:workspace/preview" }),
];
const show = async (rpc = host()) => {
  const mounted = mountApp(McpTab, { rpc, view: { mcp } });
  await flushPromises();
  return mounted;
};
const dialog = (): HTMLElement => {
  const found = document.querySelector<HTMLElement>("[role=dialog]");
  if (!found) throw new Error("no dialog");
  return found;
};
const press = async (within: ParentNode, name: string): Promise<void> => {
  const button = [...within.querySelectorAll("button")].find((one) => one.textContent?.trim() === name);
  if (!button) throw new Error(`no button ${name}`);
  button.click();
  await flushPromises();
};
const last = (rpc: ReturnType<typeof host>, method: string): unknown =>
  rpc.calls.filter((call) => call.method === method).at(-1)?.input;
const fill = (selector: string, value: string): void => {
  const field = dialog().querySelector<HTMLInputElement | HTMLTextAreaElement>(selector);
  if (!field) throw new Error(`no field ${selector}`);
  field.value = value;
  field.dispatchEvent(new Event("input"));
};
const fieldOf = (label: string): string => {
  const found = [...dialog().querySelectorAll("label")].find((one) => one.textContent?.trim() === label);
  return `#${CSS.escape(found?.htmlFor ?? "")}`;
};

test("what failed is looked at first: its last words, its log, what it starts", async () => {
  const { rpc, wrapper } = await show();
  const pane = wrapper.get("aside").text();
  expect(wrapper.get("aside").attributes("aria-label")).toBe("sentry");
  expect(pane).toContain("401 Unauthorized");
  expect(wrapper.get("[role=log]").text()).toBe(
    Array.from({ length: 8 }, (_, index) => `line ${index + 4}`).join(""),
  );
  await press(document, "Show all");
  expect(wrapper.get("[role=log]").text()).toContain("line 0");
  await press(wrapper.get("aside").element, "Restart");
  expect(rpc.calls.at(-1)).toEqual({ method: "mcp.restart", input: { name: "sentry" } });
});

test("each server is a switch named by it, and what runs can be stopped", async () => {
  const { rpc, wrapper } = await show();
  const files = document.querySelector<HTMLButtonElement>('[role=switch][aria-label="files"]');
  files?.click();
  await flushPromises();
  expect(rpc.calls.at(-1)).toEqual({
    method: "switch.set",
    input: { id: "mcp:user/files", enabled: false },
  });
  await wrapper.findAll("li button.name")[0]?.trigger("click");
  await flushPromises();
  await press(wrapper.get("aside").element, "Stop");
  expect(rpc.calls.at(-1)).toEqual({ method: "mcp.stop", input: { name: "files" } });
});

test("what waits is approved after its exact command was shown", async () => {
  const { rpc, wrapper } = await show();
  await press(wrapper.get(".l").element, "Review");
  const boxes = [...dialog().querySelectorAll(".argv li")].map((one) => one.textContent);
  expect(boxes).toEqual(["npx", "my server"]);
  expect(dialog().textContent).toContain("TOKEN");
  await press(dialog(), "Approve and start");
  expect(rpc.calls.at(-1)).toEqual({ method: "mcp.approve", input: { grant: "grant-preview" } });
});

test("a server is added by form, then reviewed; closing the review starts nothing", async () => {
  const { rpc } = await show();
  await press(document, "Add server");
  await press(dialog(), "Next: review");
  expect(dialog().querySelector("[role=alert]")?.textContent).toBe("Give it a name.");
  fill(fieldOf("Name"), "notes");
  fill(fieldOf("Command"), "npx");
  fill(fieldOf("Arguments"), "-y\nnotes server");
  await flushPromises();
  await press(dialog(), "Next: review");
  expect(last(rpc, "mcp.draft")).toEqual({
    name: "notes",
    json: '{"command":"npx","args":["-y","notes server"]}',
  });
  await press(dialog(), "Later");
  expect(rpc.calls.some(({ method }) => method === "mcp.approve")).toBe(false);
});

test("pasted JSON names the server by itself", async () => {
  const { rpc } = await show();
  await press(document, "Add server");
  await press(dialog(), "Pasted JSON");
  fill(fieldOf("JSON"), "{nonsense");
  fill(fieldOf("Name"), "x");
  await flushPromises();
  await press(dialog(), "Next: review");
  expect(dialog().querySelector("[role=alert]")?.textContent).toContain("no valid JSON");
  const text = '{"mcpServers": {"a": {"command": "x"}, "b": {"url": "https://y.example"}}}';
  fill(fieldOf("JSON"), text);
  await flushPromises();
  await press(dialog(), "b");
  await press(dialog(), "Next: review");
  expect(last(rpc, "mcp.draft")).toEqual({ name: "b", json: text });
});

test("what the host does not take is said in the dialog, and nothing is lost", async () => {
  const rpc = host();
  const call: typeof rpc.call = (method, input) =>
    method === "mcp.draft"
      ? Promise.reject(new NacreError("already_exists", "a server files stands in mcp.json already"))
      : rpc.call(method, input);
  await show({ ...rpc, call });
  await press(document, "Add server");
  fill(fieldOf("Name"), "files");
  fill(fieldOf("Command"), "npx");
  await flushPromises();
  await press(dialog(), "Next: review");
  expect(dialog().querySelector("[role=alert]")?.textContent).toContain("already");
  expect(dialog().querySelector<HTMLInputElement>(fieldOf("Command"))?.value).toBe("npx");
});

test("without a server it says how to get one", () => {
  const { wrapper } = mountApp(McpTab);
  expect(wrapper.text()).toContain("No MCP servers yet");
});

test("a server that another of its name shadows is a grey row that says so; it offers its switch and nothing else", async () => {
  const rows = [
    mcpRow({ name: "files", scope: "workspace", id: "mcp:workspace/files", origin: "workspace" }),
    mcpRow({ name: "files", id: "mcp:user/files", state: "stopped", shadowedBy: "workspace" }),
  ];
  const { rpc, wrapper } = mountApp(McpTab, { rpc: host(), view: { mcp: rows } });
  await flushPromises();
  expect(wrapper.get("aside").text()).toContain("ready");
  const row = wrapper.findAll("li.srv").find((one) => one.text().includes("shadowed by workspace"));
  expect(row?.get("svg").classes()).toContain("off");
  expect(row?.text()).not.toContain("stopped");
  await row?.get("button.cover").trigger("click");
  expect(wrapper.findAll("li.srv.sel")).toHaveLength(1);
  const pane = wrapper.get("aside");
  expect(pane.text()).toContain("Another server of this name counts.");
  expect(pane.find("[role=log]").exists()).toBe(false);
  expect(pane.findAll("button").map((one) => one.text())).not.toContain("Start");
  await row?.get("[role=switch]").trigger("click");
  expect(rpc.calls.at(-1)).toEqual({ method: "switch.set", input: { id: "mcp:user/files", enabled: false } });
});
