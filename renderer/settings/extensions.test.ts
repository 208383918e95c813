import { flushPromises } from "@vue/test-utils";
import { expect, test } from "vitest";
import { mcpRow } from "../fixtures.testing.ts";
import { mountApp } from "../mount.testing.ts";
import { memoryRpc } from "../rpc.testing.ts";
import AgentsTab from "./AgentsTab.vue";
import { contribution, pluginRow, roleRow, skillRow } from "./fixtures.testing.ts";
import PluginsTab from "./PluginsTab.vue";
import SkillsTab from "./skills/SkillsTab.vue";

const switchNamed = (name: string): HTMLButtonElement => {
  const found = document.querySelector<HTMLButtonElement>(`[role=switch][aria-label="${name}"]`);
  if (!found) throw new Error(`no switch ${name}`);
  return found;
};

test("a plugin is switched as a whole, and each thing it brings alone", async () => {
  const plugin = pluginRow({
    contributions: [contribution(), contribution({ name: "jira_search", enabled: false, state: "off" })],
  });
  const rpc = memoryRpc({ "tools.list": () => [] });
  const { wrapper } = mountApp(PluginsTab, { rpc, view: { plugins: [plugin] } });
  await flushPromises();
  expect(switchNamed("jira").getAttribute("aria-checked")).toBe("mixed");
  switchNamed("jira").click();
  switchNamed("jira_search").click();
  await flushPromises();
  expect(rpc.calls.filter(({ method }) => method === "switch.set").map(({ input }) => input)).toEqual([
    { id: "plugin:jira", enabled: false },
    { id: "tool:jira/jira_search", enabled: true },
  ]);
  expect(wrapper.get("aside").text()).toContain("1 of 2 on");
});

test("a plugin that does not fit or waits says why", async () => {
  const compatibility = { ok: false, reason: "needs Windows" };
  const plugins = [
    pluginRow({ name: "a", path: "/a", state: "incompatible", compatibility }),
    pluginRow({ name: "b", path: "/b", state: "needs_approval", scope: "workspace" }),
  ];
  const rpc = memoryRpc({ "tools.list": () => [] });
  const { wrapper } = mountApp(PluginsTab, { rpc, view: { plugins } });
  expect(wrapper.get("ul.list").text()).toContain("needs Windows");
  await wrapper
    .findAll("li button.name")
    .find((one) => one.text() === "b")
    ?.trigger("click");
  expect(wrapper.get("aside").text()).toContain("has changed since you approved it");
});

test.each([
  [SkillsTab, "No skills yet"],
  [PluginsTab, "No plugins yet"],
])("an empty list says what to do", (tab, words) => {
  const { wrapper } = mountApp(tab, { view: { mcp: [mcpRow()] } });
  expect(wrapper.text()).toContain(words);
  expect(wrapper.get("a.btn").attributes("href")).toBe("#/market");
});

test.each([SkillsTab, AgentsTab])("what ships with the app is said in words", (tab) => {
  const view = {
    skills: [skillRow({ source: "bundled", scope: "bundled" })],
    agents: [roleRow({ source: "bundled" })],
  };
  const { wrapper } = mountApp(tab, { view });
  expect(wrapper.get(".group-h").text()).toBe("Comes with Nacre");
  expect(wrapper.get("aside").text()).toContain("Comes with Nacre");
  expect(wrapper.text()).not.toContain("bundled");
});

test("a role shows what it may use", async () => {
  const agents = [roleRow(), roleRow({ name: "general", tools: [], readonly: false, source: "bundled" })];
  const { rpc, wrapper } = mountApp(AgentsTab, { view: { agents } });
  expect(wrapper.get("aside").text()).toContain("read_file");
  switchNamed("general").click();
  await flushPromises();
  expect(rpc.calls.at(-1)).toEqual({
    method: "switch.set",
    input: { id: "agent:user-nacre/general", enabled: false },
  });
});
