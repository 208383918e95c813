import { flushPromises } from "@vue/test-utils";
import { expect, test } from "vitest";
import type { McpServerDetails, McpToolRow } from "../../../shared/mcp.ts";
import { mcpRow } from "../../fixtures.testing.ts";
import { mountApp } from "../../mount.testing.ts";
import { memoryRpc } from "../../rpc.testing.ts";
import McpPane from "./McpPane.vue";

const tool = (part: Partial<McpToolRow> = {}): McpToolRow => ({
  name: "echo",
  description: "Says it again",
  perm: "net",
  state: "on",
  switchId: `mcp_tool:files/${part.name ?? "echo"}`,
  tokens: 100,
  ...part,
});
const details = (part: Partial<McpServerDetails> = {}): McpServerDetails => ({
  protocol: "2025-11-25",
  title: "filesystem",
  version: "1",
  instructions: "",
  capabilities: ["tools"],
  tools: [tool()],
  resources: [],
  templates: [],
  prompts: [],
  problems: [],
  ...part,
});
const show = async (given: Partial<McpServerDetails>, row = mcpRow()) => {
  let now = given;
  const rpc = memoryRpc({
    "mcp.logs": () => ({ lines: [] }),
    "mcp.details": () => details(now),
    "mcp.source": () => ({ json: "{}", file: "/home/me/mcp.json", editable: true }),
  });
  const { wrapper } = mountApp(McpPane, { rpc, props: { row, counts: true } });
  await flushPromises();
  return { rpc, wrapper, change: (next: Partial<McpServerDetails>) => void (now = next) };
};
const press = async (name: string): Promise<void> => {
  const button = [...document.querySelectorAll("button")].find((one) => one.textContent?.trim() === name);
  if (!button) throw new Error(`no button ${name}`);
  button.click();
  await flushPromises();
};

test("each tool has its class, its cost and its switch; what cannot be switched has none or a dead one, and says why", async () => {
  const { rpc, wrapper } = await show({
    tools: [
      tool(),
      tool({ name: "gone", state: "left_out", note: "its schema is no object" }),
      tool({ name: "panel", state: "app_only" }),
      tool({ name: "never", state: "off", note: "switched off by mcp.json" }),
      tool({ name: "off", state: "off", tokens: 900 }),
    ],
  });
  const switches = wrapper.findAll("[role=switch]").map((one) => one.attributes());
  expect(switches.map((one) => [one["aria-label"], one["aria-checked"], "disabled" in one])).toEqual([
    ["echo", "true", false],
    ["never", "false", true],
    ["off", "false", false],
  ]);
  expect(wrapper.text()).toContain("1 of 5 on · 100 tokens in each request");
  expect(wrapper.text()).toContain("its schema is no object");
  await wrapper.get('[aria-label="off"]').trigger("click");
  expect(rpc.calls.at(-1)).toEqual({
    method: "switch.set",
    input: { id: "mcp_tool:files/off", enabled: true },
  });
});

test("a changed tool is approved by the digest that was shown, and by none that came meanwhile", async () => {
  const changed = (digest: string) =>
    tool({
      state: "changed",
      change: { digest, before: "Reads.\nNothing else.", after: "Reads.\nAnd sends." },
    });
  const { rpc, wrapper } = await show({
    tools: [changed("d1"), tool({ name: "b", added: { digest: "n1" } })],
  });
  expect(wrapper.text()).toContain("1 tool changed since you approved it");
  await press("Compare");
  const cells = (kind: string) =>
    [...document.querySelectorAll(`td.${kind}`)].map((one) => one.textContent?.trim());
  await expect
    .poll(() => [cells("del"), cells("add")])
    .toEqual([[expect.stringContaining("Nothing else.")], [expect.stringContaining("And sends.")]]);
  await press("Approve all 2");
  expect(rpc.calls.find(({ method }) => method === "mcp.approveTools")?.input).toEqual({
    name: "files",
    tools: [
      { name: "echo", digest: "d1" },
      { name: "b", digest: "n1" },
    ],
  });
});

test("of many tools and resources a page is drawn; the search finds the others", async () => {
  const { wrapper } = await show({
    tools: Array.from({ length: 150 }, (_, n) => tool({ name: `tool-${n}` })),
    resources: Array.from({ length: 1000 }, (_, n) => ({
      server: "files",
      uri: `file:///${n}.md`,
      mention: `@files:file:///${n}.md`,
      name: `File ${n}`,
      description: "",
    })),
  });
  expect(wrapper.findAll("[role=switch]")).toHaveLength(40);
  expect(wrapper.findAll(".offers li")).toHaveLength(0);
  await press("Show 40 of 110 more");
  expect(wrapper.findAll("[role=switch]")).toHaveLength(80);
  await wrapper.get('[aria-label="Search tools"]').setValue("tool-149");
  expect(wrapper.findAll("[role=switch]").map((one) => one.attributes("aria-label"))).toEqual(["tool-149"]);
});

test("what the host tells of the server is read again, and what a server says shows all of itself", async () => {
  const { wrapper, change } = await show({ instructions: "Be\u202Ekind" });
  expect(wrapper.text()).toContain("Be⟨U+202E⟩kind");
  change({ tools: [tool({ name: "fresh" })] });
  await wrapper.setProps({ row: mcpRow({ tools: ["fresh"] }) });
  await flushPromises();
  expect(wrapper.text()).toContain("fresh");
});
