import { flushPromises } from "@vue/test-utils";
import { expect, test } from "vitest";
import type { DeclarationRow, SettingsView } from "../../shared/workspace.ts";
import { settingsTabs } from "../app/settings-tabs.ts";
import { workspaceView } from "../fixtures.testing.ts";
import { messages } from "../i18n.ts";
import { mountApp } from "../mount.testing.ts";
import { memoryRpc } from "../rpc.testing.ts";
import GeneralTab from "./GeneralTab.vue";
import DeclaredTab from "./DeclaredTab.vue";
import ModelsTab from "./ModelsTab.vue";
import SourcesTab from "./SourcesTab.vue";
import TrustSection from "./TrustSection.vue";

const settings = (part: Partial<SettingsView> = {}): SettingsView => ({
  ...workspaceView().settings,
  ...part,
});
const press = async (within: ParentNode, name: string): Promise<void> => {
  const button = [...within.querySelectorAll("button")].find(
    (one) => one.textContent?.trim() === name || one.getAttribute("aria-label") === name,
  );
  if (!button) throw new Error(`no button ${name}`);
  button.click();
  await flushPromises();
};
const sets = (rpc: { calls: readonly { method: string; input: unknown }[] }): unknown[] =>
  rpc.calls.filter(({ method }) => method === "settings.set").map(({ input }) => input);

test("the tabs have the names of the command line's page", () => {
  const { tab } = messages.en.settings;
  const names = settingsTabs.map(({ labelKey }) => tab[labelKey.split(".").at(-1) as keyof typeof tab]);
  expect(new Set(names)).toEqual(
    new Set(
      ["General", "Models", "Skills", "Plugins", "MCP servers", "Agents"].concat([
        "Hooks",
        "Permissions",
        "Language servers",
        "Keys",
        "Sources",
      ]),
    ),
  );
});

test("theme and language are set as they are chosen", async () => {
  const { rpc, wrapper } = mountApp(GeneralTab);
  await press(document, "Dark");
  await press(document, "中文");
  expect(sets(rpc)).toEqual([{ theme: "dark" }, { locale: "zh" }]);
  expect(wrapper.get('ul[aria-label="Recent folders"]').text()).toContain("notes");
});

test("taking back trust asks first", async () => {
  const { rpc } = mountApp(TrustSection);
  await press(document, "Untrust this folder");
  expect(rpc.calls).toEqual([]);
  const dialog = document.querySelector("[role=dialog]");
  await press(dialog ?? document, "Untrust this folder");
  expect(rpc.calls).toEqual([{ method: "trust.revoke", input: {} }]);
});

test("a model is chosen; one that is not set up says what is missing", async () => {
  const models = [
    { id: "a/one", provider: "a", ok: true },
    { id: "b/two", provider: "b", ok: false, error: "B_KEY is not set" },
  ];
  const { rpc, wrapper } = mountApp(ModelsTab, { view: { models, settings: settings({ model: "a/one" }) } });
  expect(wrapper.get("ul").text()).toContain("B_KEY is not set");
  await press(document, "Use b/two");
  await press(document, "Use The guide");
  expect(sets(rpc)).toEqual([{ model: "b/two" }, { model: null }]);
});

test("without a model the guide answers, and the page says how to set one up", () => {
  const { wrapper } = mountApp(ModelsTab);
  expect(wrapper.text()).toContain("the guide answers");
  expect(wrapper.text()).toContain("NACRE_MODEL");
});

test("hooks are listed as they are declared", async () => {
  const hook: DeclarationRow = {
    id: "hook:kairox/guard",
    kind: "hook",
    name: "guard",
    path: ".kairox/config.toml",
    runs: [{ what: "", command: ["sh", "-c", "exit 0"] }],
    state: "untrusted",
  };
  const server: DeclarationRow = { ...hook, id: "mcp:workspace/x", kind: "mcp", name: "x" };
  const rpc = memoryRpc({
    "trust.review": () => ({ grant: "g", workspace: "/w", declarations: [hook, server] }),
  });
  const { wrapper } = mountApp(DeclaredTab, { rpc, props: { room: "hooks" } });
  await flushPromises();
  const list = wrapper.get('ul[aria-label="Hooks"]');
  expect(list.findAll(":scope > li")).toHaveLength(1);
  expect(list.text()).toContain("guard");
});

test("sources are listed with their state and their last error", async () => {
  const source = {
    id: "builtin",
    kind: "builtin",
    url: "builtin.json",
    enabled: true,
    ok: true,
    stale: false,
  };
  const mirror = { ...source, id: "mirror", kind: "remote", ok: false, error: "timed out" };
  const rpc = memoryRpc({ "market.search": () => ({ items: [], sources: [source, mirror] }) });
  const { wrapper } = mountApp(SourcesTab, { rpc });
  await flushPromises();
  const rows = wrapper.findAll("li").map((row) => row.text().replace(/\s+/g, " "));
  expect(rows[0]).toMatch(/Built in.*part of the app.*on$/);
  expect(rows[1]).toMatch(/mirror.*timed out.*failed$/);
});

test("what the doctor finds wrong with this computer is told with how to mend it, each problem once", async () => {
  const broken = { code: "settings-invalid", severity: "error", message: "a comma is missing" } as const;
  const fix = "sudo apt install bubblewrap, then start Nacre again";
  const message = "nothing runs confined, so shell commands ask: bubblewrap is not installed";
  const rpc = memoryRpc({
    "app.doctor": () => ({
      node: "v20",
      electron: null,
      sandbox: { kind: "none", ok: false },
      config: "/c",
      models: [],
      problems: [broken, { code: "no-sandbox", severity: "warning", message, fix }],
    }),
  });
  const { wrapper } = mountApp(GeneralTab, { rpc, view: { diagnostics: [broken] } });
  await flushPromises();
  const rows = wrapper.findAll(".diag").map((row) => row.text());
  expect(rows).toHaveLength(2);
  expect(rows[0]).toContain("a comma is missing");
  expect(rows[1]).toContain(message);
  expect(rows[1]).toContain(fix);
});

test("a quarantined thing stands among the problems with where it lies now", () => {
  const one = {
    code: "quarantined",
    severity: "warning",
    message: ".agent was made",
    path: "/q/.agent",
  } as const;
  const { wrapper } = mountApp(GeneralTab, { view: { diagnostics: [one] } });
  const row = wrapper.get(".diag");
  expect(row.text().replace(/\s+/g, " ")).toContain("Moved into quarantine");
  expect(row.text()).toContain("It lies now at /q/.agent");
  expect(row.get("button").attributes("aria-label")).toBe("Copy the path");
});
