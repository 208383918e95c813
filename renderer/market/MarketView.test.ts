import { flushPromises } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test } from "vitest";
import { navigate } from "../app/route.ts";
import { NacreError } from "../../shared/errors.ts";
import type { InstallPlan, MarketItem } from "../../shared/market.ts";
import { workspaceView } from "../fixtures.testing.ts";
import { mountApp } from "../mount.testing.ts";
import { memoryRpc } from "../rpc.testing.ts";
import { installView, marketItem, plannedInstall, receipt } from "./fixtures.testing.ts";
import MarketView from "./MarketView.vue";

beforeEach(() => navigate("market"));
afterEach(() => navigate("chat"));
const docker = { kind: "docker", ok: false, hint: "install Docker" };
const catalog: MarketItem[] = [
  marketItem(),
  marketItem({ id: "sonar", name: "Sonar", requirements: [docker] }),
  marketItem({ id: "review", name: "Code Review", kind: "skill", installed: true }),
];
function host(plan: Partial<InstallPlan> = {}) {
  return memoryRpc({
    "market.search": ({ query }) => ({
      items: catalog.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase())),
      sources: [{ id: "builtin", kind: "builtin", url: "", enabled: true, ok: true, stale: false }],
    }),
    "market.plan": ({ id, scope }) => plannedInstall({ id, scope, grant: `grant-${scope}`, ...plan }),
    "market.detail"({ id }) {
      const item = catalog.find((one) => one.id === id);
      if (!item) throw new NacreError("not_found", `the marketplace has no ${id}`);
      return { ...item, readme: "# Use it\n\nSay **remember**.", command: ["npx", "memory server"] };
    },
  });
}
const show = async (rpc = host(), view = {}) => {
  const mounted = mountApp(MarketView, { rpc, view });
  await flushPromises();
  return mounted;
};
/** Dialogs stand at the end of the page, outside of the view. */
const dialog = (): HTMLElement => {
  const found = document.querySelector<HTMLElement>("[role=dialog]");
  if (!found) throw new Error("no dialog");
  return found;
};
const titleOf = (element: HTMLElement): string =>
  document.getElementById(element.getAttribute("aria-labelledby") ?? "")?.textContent ?? "";
const press = async (within: ParentNode, name: string): Promise<void> => {
  const button = [...within.querySelectorAll("button")].find((one) => one.textContent?.trim() === name);
  if (!button) throw new Error(`no button ${name}`);
  button.click();
  await flushPromises();
};
const card = (name: string): Element => {
  const found = document.querySelector(`article[aria-label="${name}"]`);
  if (!found) throw new Error(`no ${name}`);
  return found;
};

test("the catalog has the names that people and tests look for", async () => {
  const { wrapper } = await show();
  expect(wrapper.get("input[type=search]").attributes("aria-label")).toBe("Search marketplace");
  expect(wrapper.findAll("article").map((one) => one.attributes("aria-label"))).toEqual([
    "Memory",
    "Sonar",
    "Code Review",
  ]);
  expect(card("Memory").textContent).toMatch(/runs here.*Install$/s);
  expect(card("Code Review").textContent).toContain("Installed");
  const blocked = card("Sonar");
  expect(blocked.textContent).toContain("needs docker");
  expect(blocked.querySelector("button")?.disabled).toBe(true);
});

test("kinds filter and count, arrows choose", async () => {
  const { wrapper } = await show();
  const kinds = wrapper.get("[role=radiogroup]");
  expect(kinds.findAll("[role=radio]").map((one) => one.text().replace(/\s+/g, " "))).toEqual([
    "All 3",
    "Skills 1",
    "Plugins 0",
    "MCP servers 2",
  ]);
  await kinds.trigger("keydown", { key: "ArrowRight" });
  expect(wrapper.findAll("article")).toHaveLength(1);
  expect(document.activeElement?.textContent).toContain("Skills");
});

test("where nothing fits, it says what to do, and can be undone in one press", async () => {
  const { wrapper } = await show();
  await wrapper.findAll("[role=radio]")[2]?.trigger("click");
  expect(wrapper.text()).toContain("Nothing fits these filters");
  await press(document, "Clear search and filters");
  expect(wrapper.findAll("article")).toHaveLength(3);
});

test("an install shows everything it does, and hands back the grant of what was shown", async () => {
  const { rpc } = await show(host({ variables: [{ key: "TOKEN", required: true, secret: true }] }));
  await press(card("Memory"), "Install");
  expect(titleOf(dialog())).toBe("Review install");
  const boxes = [...dialog().querySelectorAll(".argv li")].map((one) => one.textContent);
  expect(boxes).toEqual(["npx", "-y", "memory server@1.0.0"]);
  expect(dialog().textContent).toMatch(/Writes 1 file.*mcp\.json.*120 B/s);
  expect(dialog().textContent).toContain("Nothing has been written yet");

  dialog()
    .querySelector("form")
    ?.dispatchEvent(new Event("submit", { cancelable: true }));
  await flushPromises();
  const field = dialog().querySelector<HTMLInputElement>("input[aria-label=TOKEN]");
  expect(field?.type).toBe("password");
  expect(field?.getAttribute("aria-invalid")).toBe("true");
  expect(rpc.calls.some(({ method }) => method === "market.install")).toBe(false);

  if (field) field.value = "s3cret";
  field?.dispatchEvent(new Event("input"));
  dialog()
    .querySelector("form")
    ?.dispatchEvent(new Event("submit", { cancelable: true }));
  await flushPromises();
  expect(rpc.calls.at(-1)).toEqual({
    method: "market.install",
    input: { grant: "grant-user", variables: { TOKEN: "s3cret" } },
  });
  expect(document.querySelector("[role=dialog]")).toBeNull();
});

test("another place is another plan; what was typed stays", async () => {
  await show(host({ variables: [{ key: "REPO", required: false, secret: false }] }));
  await press(card("Memory"), "Install");
  const field = (): HTMLInputElement | null => dialog().querySelector("input[aria-label=REPO]");
  const first = field();
  if (first) first.value = "a/b";
  first?.dispatchEvent(new Event("input"));
  await press(dialog(), "This workspace");
  expect(dialog().textContent).toContain("for this workspace");
  expect(field()?.value).toBe("a/b");
});

test("what the policy would deny cannot be pressed, and says why", async () => {
  const { settings } = workspaceView();
  await show(host(), { settings: { ...settings, approval: "never" } });
  await press(card("Memory"), "Install");
  expect(dialog().textContent).toContain("Never ask");
  expect(dialog().querySelector<HTMLButtonElement>("button[type=submit]")?.disabled).toBe(true);
});

test("a plan that cannot be made says so in the dialog", async () => {
  const rpc = host();
  const call: typeof rpc.call = (method, input) =>
    method === "market.plan"
      ? Promise.reject(
          new NacreError("already_exists", "Memory is installed already, in /x: remove it first"),
        )
      : rpc.call(method, input);
  await show({ ...rpc, call });
  await press(card("Memory"), "Install");
  expect(dialog().querySelector("[role=alert]")?.textContent).toContain("remove it first");
});

test("the progress of an install, its cancel, and the reason where it failed", async () => {
  const { rpc, wrapper } = await show();
  rpc.event("market", { type: "install", install: installView({ step: "place" }) });
  await flushPromises();
  const bar = wrapper.get("[role=progressbar]");
  expect(bar.attributes("aria-label")).toBe("Install progress");
  expect(Number(bar.attributes("aria-valuenow"))).toBeGreaterThan(50);
  await press(document, "Cancel and undo");
  expect(rpc.calls.at(-1)).toEqual({ method: "market.cancel", input: { id: "memory" } });
  const failed = installView({ step: "place", state: "failed", error: "no space left" });
  rpc.event("market", { type: "install", install: failed });
  await flushPromises();
  expect(wrapper.text()).toContain("Memory was not installed");
  expect(wrapper.text()).toContain("no space left");
  await press(document, "Try again");
  expect(titleOf(dialog())).toBe("Review install");
});

test("the end of an install stays in sight, without a dialog over the page", async () => {
  const { rpc, wrapper } = await show();
  await press(card("Memory"), "Install");
  dialog()
    .querySelector("form")
    ?.dispatchEvent(new Event("submit", { cancelable: true }));
  await flushPromises();
  expect(wrapper.get("[role=progressbar]").attributes("aria-valuenow")).toBe("100");
  expect(wrapper.text()).toContain("Memory is installed");
  await new Promise((resolve) => setTimeout(resolve));
  expect(document.activeElement).not.toBe(document.body);
  rpc.event("market", { type: "receipts", receipts: [receipt()] });
  await press(document, "Close");
  expect(wrapper.find("[role=progressbar]").exists()).toBe(false);
});

test("the page of one thing, and the way back to it", async () => {
  const { wrapper } = await show();
  navigate("market", "memory");
  await flushPromises();
  expect(wrapper.get("h1").element.closest("section")?.style.display).toBe("none");
  expect(wrapper.text()).toContain("Say remember.");
  expect(document.activeElement?.id).toBe("market-back");
  navigate("market");
  await flushPromises();
  expect(document.activeElement?.id).toBe("item-memory");
});

test("what is not in the catalog says so", async () => {
  navigate("market", "nothing");
  const { wrapper } = await show();
  expect(wrapper.get("[role=alert]").text()).toContain("the marketplace has no nothing");
});

test("removing shows what goes and asks first", async () => {
  navigate("market", "review");
  const { rpc } = await show();
  const files = [{ path: "/home/me/.config/nacre/skills/review/SKILL.md", sha256: "x" }];
  const own = receipt({ id: "review", kind: "skill", entries: [], files });
  rpc.snapshot("market", { sources: [], installs: [], receipts: [own] });
  await flushPromises();
  await press(document, "Remove");
  expect(titleOf(dialog())).toBe("Remove Code Review?");
  expect(dialog().textContent).toContain("skills/review/SKILL.md");
  await press(dialog(), "Remove");
  expect(rpc.calls.at(-1)).toEqual({ method: "market.uninstall", input: { id: "review" } });
});
