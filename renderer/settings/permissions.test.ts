import { flushPromises } from "@vue/test-utils";
import { expect, test } from "vitest";
import { NacreError } from "../../shared/errors.ts";
import type { RuleRow, SettingsView } from "../../shared/workspace.ts";
import PolicyPickers from "../chat/PolicyPickers.vue";
import { approval, workspaceView } from "../fixtures.testing.ts";
import { mountApp } from "../mount.testing.ts";
import { memoryRpc } from "../rpc.testing.ts";
import PermissionsTab from "./PermissionsTab.vue";

type Answers = Parameters<typeof memoryRpc>[0];
const settings = (part: Partial<SettingsView> = {}): SettingsView => ({
  ...workspaceView().settings,
  ...part,
});
const show = (part: Partial<SettingsView> = {}, answers: Answers = {}, approvals = [] as const) => {
  const rpc = memoryRpc({ "tools.list": () => [], ...answers });
  return mountApp(PermissionsTab, { rpc, view: { settings: settings(part), approvals } });
};
const press = async (within: ParentNode, name: string): Promise<void> => {
  const button = [...within.querySelectorAll("button")].find(
    (one) => one.textContent?.trim() === name || one.getAttribute("aria-label") === name,
  );
  if (!button) throw new Error(`no button ${name}`);
  button.click();
  await flushPromises();
};
const callsOf = (rpc: ReturnType<typeof memoryRpc>, method: string): unknown[] =>
  rpc.calls.filter((call) => call.method === method).map(({ input }) => input);
const never = (): never => new Promise(() => undefined) as never;

test("the table is the host's, line by line", () => {
  const { wrapper } = show({
    gate: [
      { perm: "write", where: "any", answer: "deny" },
      { perm: "read", where: "outside", answer: "ask" },
    ],
  });
  const rows = wrapper.findAll("tbody tr").map((row) => row.text().replace(/\s+/g, " "));
  expect(rows).toEqual(["Write files anywheredenied", "Read files outside this folderasks you"]);
});

test("what lowers a guard is marked in words, with a shape", () => {
  const { wrapper } = show();
  for (const [name, words] of [
    ["Never ask", "you are never asked"],
    ["Full access", "no protection"],
  ] as const) {
    const card = wrapper.findAll("[role=radio]").find((one) => one.text().startsWith(name));
    expect(card?.get(".badge.warn").text()).toBe(words);
    expect(card?.find(".badge svg").exists(), name).toBe(true);
  }
  expect(wrapper.findAll("[role=radio] .badge")).toHaveLength(2);
});

test("arrows move between choices without choosing one that lowers a guard", async () => {
  const { rpc, wrapper } = show();
  const group = wrapper.get('[role=radiogroup][aria-label="Approval policy"]');
  group.find<HTMLElement>('[aria-checked="true"]').element.focus();
  await group.trigger("keydown", { key: "ArrowLeft" });
  expect(document.activeElement?.textContent).toContain("Never ask");
  expect(callsOf(rpc, "settings.set")).toEqual([]);
  (document.activeElement as HTMLElement).click();
  await flushPromises();
  expect(callsOf(rpc, "settings.set")).toEqual([{ approval: "never" }]);
});

test("a widening that waits for the approval leaves the host's value in force, here and below messages", async () => {
  const rpc = memoryRpc({ "tools.list": () => [], "settings.set": never });
  const view = { settings: settings({ sandbox: "workspace_write" }) };
  const { wrapper } = mountApp(PermissionsTab, { rpc, view });
  const card = () => wrapper.findAll("[role=radio]").find((one) => one.text().startsWith("Full access"));
  await card()?.trigger("click");
  expect(wrapper.find(".waiting").exists()).toBe(false);
  rpc.event("workspace", {
    type: "slice",
    slice: { approvals: [approval({ sessionId: null, because: [{ code: "widen_policy" }] })] },
  });
  await flushPromises();
  expect(card()?.text()).toContain("waits for your answer");
  expect(card()?.attributes("aria-checked")).toBe("false");
  expect(wrapper.get('[role=radio][aria-checked="true"]').text()).not.toContain("Full access");
});

test("the picker below a message says what is given up, in its name", () => {
  const part = { sandbox: "full_access", approval: "never" } as const;
  const { wrapper } = mountApp(PolicyPickers, { view: { settings: settings(part) } });
  const names = wrapper.findAll("button").map((one) => one.attributes("aria-label"));
  expect(names).toEqual([
    "Model: The guide",
    "Approval policy: Never ask, you are never asked",
    "Sandbox: Full access, no protection",
  ]);
  expect(wrapper.findAll("button.warn .lucide-triangle-alert")).toHaveLength(2);
});

test.each([
  ["Network access", { networkAccess: true }],
  ["Network for plugins’ tools", { pluginNetwork: false }],
  ["Careful after outside text", { carefulAfterOutsideText: false }],
] as const)("the switch %s sends its one change and shows the host's value", async (name, change) => {
  const { rpc, wrapper } = show();
  const before = wrapper.get(`[role=switch][aria-label="${name}"]`).attributes("aria-checked");
  await press(wrapper.element.parentElement ?? document, name);
  expect(callsOf(rpc, "settings.set")).toEqual([change]);
  expect(wrapper.get(`[role=switch][aria-label="${name}"]`).attributes("aria-checked")).toBe(before);
});

test("a sandbox that works is said; one that does not says why and how to get it", () => {
  const good = show().wrapper.get('[aria-label="Sandbox on this computer"]').text();
  expect(good).toContain("Commands run confined by bubblewrap");
  const fix = "sudo apt install bubblewrap, then start Nacre again";
  const { wrapper } = show({
    sandboxState: { kind: null, ok: false, reason: "bubblewrap is not installed", fix },
  });
  const card = wrapper.get('[aria-label="Sandbox on this computer"]');
  for (const words of ["Nothing can confine commands here", "bubblewrap is not installed", fix, "asks"])
    expect(card.text()).toContain(words);
  expect(card.get("button").attributes("aria-label")).toBe("Copy how to mend it");
});

test("opening the page starts no search of this computer: the host tells by itself what the sandbox does", () => {
  expect(callsOf(show().rpc, "app.doctor")).toEqual([]);
});

test("a folder is added beside those that stand; what the host says against it stands at the field", async () => {
  const { rpc, wrapper } = show(
    { writableRoots: ["/data/a"] },
    {
      "settings.set": ({ addRoot }) => {
        if (addRoot === "/nowhere") throw new NacreError("invalid_input", "there is no folder /nowhere");
        return null;
      },
    },
  );
  const field = wrapper.get<HTMLInputElement>('input[aria-label="Folder to add"]');
  await field.setValue("/nowhere");
  field.element.form?.dispatchEvent(new Event("submit"));
  await flushPromises();
  expect(wrapper.get(".problem[role=alert]").text()).toBe("there is no folder /nowhere");
  expect(field.attributes("aria-invalid")).toBe("true");
  expect(field.element.value).toBe("/nowhere");
  await field.setValue("/data/b");
  field.element.form?.dispatchEvent(new Event("submit"));
  await flushPromises();
  expect(callsOf(rpc, "settings.set").at(-1)).toEqual({ addRoot: "/data/b" });
  expect(field.element.value).toBe("");
  await press(document, "Remove the folder /data/a");
  expect(callsOf(rpc, "settings.set").at(-1)).toEqual({ removeRoot: "/data/a" });
});

test("folders that wait for the approval stand below, each of them", async () => {
  const { rpc, wrapper } = show({ writableRoots: ["/data/a"] }, { "settings.set": never });
  const field = wrapper.get<HTMLInputElement>('input[aria-label="Folder to add"]');
  for (const folder of ["/data/b", "/data/c"]) {
    await field.setValue(folder);
    field.element.form?.dispatchEvent(new Event("submit"));
  }
  rpc.event("workspace", {
    type: "slice",
    slice: { approvals: [approval({ sessionId: null, because: [{ code: "widen_policy" }] })] },
  });
  await flushPromises();
  const rows = wrapper.findAll("ul.writable li").map((row) => row.text());
  expect(rows).toEqual([
    "/data/a",
    expect.stringMatching(/^\/data\/b.*waits/),
    expect.stringMatching(/^\/data\/c.*waits/),
  ]);
});

const rules: readonly RuleRow[] = [
  { tool: "run_shell", pattern: "git *", answer: "allow", source: "settings", trusted: true },
  { tool: "fetch_url", pattern: "*", answer: "allow", source: "dropstone:/p/dropstone.json", trusted: false },
  { tool: "write_file", pattern: "*", answer: "deny", source: "dropstone:/p/dropstone.json", trusted: false },
  { tool: "run_shell", pattern: "*", answer: "ask", source: "role:reader", trusted: true, role: "reader" },
  { tool: "run_shell", pattern: "make", answer: "allow", source: "always", trusted: true },
  { tool: "mcp__git__*", pattern: "*", answer: "allow", source: "allow", trusted: true },
];

test("rules stand by their source in their order; only those of settings.json can be removed", async () => {
  const { rpc, wrapper } = show({ rules });
  const lists = wrapper.findAll("ul.rules").map((list) => list.attributes("aria-label"));
  expect(lists).toEqual([
    "settings.json",
    "File /p/dropstone.json",
    "Role reader",
    "Your answers “always here”, for this workspace",
    "--allow of this start",
  ]);
  expect(wrapper.get(".only-narrows").text()).toContain("count only where they deny or ask");
  expect(wrapper.get('ul[aria-label="File /p/dropstone.json"] li').text()).toContain("does not count");
  const removes = wrapper.findAll("ul.rules button").map((one) => one.attributes("aria-label"));
  expect(removes).toEqual(["Remove the rule run_shell:git *", "Remove the rule run_shell:make"]);
  await press(document, "Remove the rule run_shell:make");
  expect(callsOf(rpc, "rules.remove")).toEqual([{ tool: "run_shell", pattern: "make" }]);
  expect(wrapper.get(".removed[role=status]").text()).toBe("Removed the rule run_shell:make.");
  expect(document.activeElement?.textContent).toBe("Rules");
});

test("many rules can be searched", async () => {
  expect(show({ rules }).wrapper.find('input[aria-label="Search rules"]').exists()).toBe(false);
  const many = [...rules, ...rules].map((rule, index) => ({ ...rule, pattern: `${rule.pattern} ${index}` }));
  const { wrapper } = show({ rules: many });
  await wrapper.get('input[aria-label="Search rules"]').setValue("MAKE");
  expect(wrapper.findAll("ul.rules li").map((row) => row.get(".mono").text())).toEqual([
    "run_shell:make 4",
    "run_shell:make 10",
  ]);
  await wrapper.get('input[aria-label="Search rules"]').setValue("nothing of the kind");
  expect(wrapper.text()).toContain("No rule fits");
});
