import { flushPromises } from "@vue/test-utils";
import { afterEach, expect, test, vi } from "vitest";
import { NacreError } from "../../shared/errors.ts";
import type { DeclarationRow } from "../../shared/workspace.ts";
import { approval, mcpRow, sessionRow, sessionView, workspaceView } from "../fixtures.testing.ts";
import { mountApp } from "../mount.testing.ts";
import { memoryRpc } from "../rpc.testing.ts";
import App from "./App.vue";
import { navigate } from "./route.ts";

afterEach(() => navigate("chat"));
const show = (view = {}, rpc = memoryRpc()) => {
  const mounted = mountApp(App, { rpc });
  rpc.snapshot("workspace", workspaceView(view));
  return { ...mounted, rpc };
};
const waiting: DeclarationRow = {
  id: "mcp:workspace/db",
  kind: "mcp",
  name: "db",
  path: ".mcp.json",
  runs: [{ what: "", command: ["npx", "-y", "db server"] }],
  state: "untrusted",
};

test("the frame has the names that people and tests look for", async () => {
  const { wrapper } = show({
    summary: { skills: 2, plugins: 1, pluginTools: 3, mcpServers: 2 },
    mcp: [mcpRow({ name: "everything" }), mcpRow({ name: "db", state: "needs_approval" })],
  });
  await flushPromises();
  const links = wrapper.get("nav[aria-label=Main]").findAll("a");
  expect(links.map((link) => link.text())).toEqual(["Chat", "Marketplace", "Settings"]);
  const dots = wrapper.get('ul[aria-label="MCP servers"]').findAll("li");
  expect(dots.map((dot) => dot.attributes("aria-label"))).toEqual([
    "everything: ready",
    "db: needs_approval",
  ]);
  const status = wrapper.get('[role=status][aria-label="Extensions"]');
  expect(status.text().replace(/\s+/g, " ")).toBe(
    "2 skills · 1 plugin (3 tools) · 2 MCP servers 1/2 MCP ready",
  );
  expect(wrapper.get("textarea").attributes("aria-label")).toBe("Message");
});

const bannerOf = (wrapper: ReturnType<typeof show>["wrapper"]) =>
  wrapper.get('[role=banner][aria-label="Untrusted workspace"]');
const trustButton = async (wrapper: ReturnType<typeof show>["wrapper"]) => {
  const button = bannerOf(wrapper)
    .findAll("button")
    .find((each) => each.text() === "Trust this workspace");
  await vi.waitFor(() => expect(button?.attributes("disabled")).toBeUndefined());
  return button;
};
test("trusting spends the grant of what the banner shows", async () => {
  const rpc = memoryRpc({
    "trust.review": () => ({ grant: "g7", workspace: "/w", declarations: [waiting] }),
  });
  const { wrapper } = show({ trust: { trusted: false, waiting: [waiting] } }, rpc);
  await flushPromises();
  const banner = bannerOf(wrapper);
  expect(banner.text()).toContain("1 MCP server");
  expect(banner.findAll(".starts .argv li").map((each) => each.text())).toEqual(["npx", "-y", "db server"]);
  await (await trustButton(wrapper))?.trigger("click");
  await flushPromises();
  expect(rpc.calls.at(-1)).toEqual({ method: "trust.grant", input: { grant: "g7" } });
  expect(rpc.calls.filter(({ method }) => method === "trust.grant")).toHaveLength(1);
  expect(rpc.calls.at(-2)?.method).toBe("trust.review");
});
test("what changed since it was shown is not trusted: the banner shows it, and says so", async () => {
  const evil: DeclarationRow = { ...waiting, runs: [{ what: "", command: ["sh", "evil\u202E"] }] };
  let now = waiting;
  const rpc = memoryRpc({
    "trust.review": () => ({ grant: now === evil ? "g-evil" : "g7", workspace: "/w", declarations: [now] }),
    "trust.grant": ({ grant }) => {
      if (now === evil && grant === "g7") throw new NacreError("denied", "it changed");
      return null;
    },
  });
  const { wrapper } = show({ trust: { trusted: false, waiting: [waiting] } }, rpc);
  await flushPromises();
  const button = await trustButton(wrapper);
  now = evil;
  await button?.trigger("click");
  await flushPromises();
  expect(rpc.calls.filter(({ method }) => method === "trust.grant").map(({ input }) => input)).toEqual([
    { grant: "g7" },
  ]);
  expect(bannerOf(wrapper).text()).toContain("not what was shown before");
  expect(bannerOf(wrapper).findAll(".starts .argv li").at(1)?.text()).toBe("evil⟨U+202E⟩");
  await (await trustButton(wrapper))?.trigger("click");
  await flushPromises();
  expect(rpc.calls.at(-1)?.input).toEqual({ grant: "g-evil" });
});
test("of many commands four are shown and the others counted; a new declaration is shown at once", async () => {
  const many = Array.from({ length: 300 }, (_one, index) => ({ ...waiting, id: `mcp:workspace/${index}` }));
  let declarations = many;
  const rpc = memoryRpc({ "trust.review": () => ({ grant: "g", workspace: "/w", declarations }) });
  const { wrapper } = show({ trust: { trusted: false, waiting: many } }, rpc);
  await flushPromises();
  expect(bannerOf(wrapper).findAll(".starts .argv")).toHaveLength(4);
  expect(bannerOf(wrapper).text()).toContain("and 296 more");
  expect(bannerOf(wrapper).text()).not.toContain("not what was shown before");
  declarations = many.slice(0, 299);
  rpc.event("workspace", { type: "slice", slice: { trust: { trusted: false, waiting: declarations } } });
  await flushPromises();
  expect(bannerOf(wrapper).text()).toContain("and 295 more");
  expect(bannerOf(wrapper).text()).toContain("not what was shown before");
});

test("a git worktree of a trusted folder says so where its own trust is asked for", async () => {
  const view = { trust: { trusted: false, waiting: [waiting], worktreeOf: "/home/me/main" } };
  const { wrapper } = show(view, memoryRpc());
  await flushPromises();
  expect(bannerOf(wrapper).text()).toContain("a git worktree of /home/me/main, which you trust");
});

test("what would run is shown argument by argument", async () => {
  const rpc = memoryRpc({
    "trust.review": () => ({ grant: "g7", workspace: "/w", declarations: [waiting] }),
  });
  const { wrapper } = show({ trust: { trusted: false, waiting: [waiting] } }, rpc);
  await flushPromises();
  await wrapper.findAll(".banner button").at(0)?.trigger("click");
  await flushPromises();
  const dialog = document.querySelector("[role=dialog]");
  expect([...(dialog?.querySelectorAll(".argv li") ?? [])].map((item) => item.textContent?.trim())).toEqual([
    "npx",
    "-y",
    "db server",
  ]);
});

test("a chat shows its approval in the composer's place, and only there", async () => {
  const rpc = memoryRpc();
  const view = { sessions: [sessionRow()], approvals: [approval()] };
  const { wrapper } = show(view, rpc);
  navigate("chat", "s1");
  await flushPromises();
  rpc.snapshot("session:s1", sessionView());
  await flushPromises();
  expect(wrapper.find('[role=dialog][aria-label="Approval"]').exists()).toBe(true);
  expect(wrapper.find("textarea").exists()).toBe(false);
  expect(wrapper.get(".sess .count").text()).toBe("1");
  rpc.event("workspace", { type: "slice", slice: { approvals: [] } });
  await flushPromises();
  expect(wrapper.find("textarea").exists()).toBe(true);
});

test("a question leaves the focus to who writes a message: the composer stays, with its text", async () => {
  const { wrapper, rpc } = show({ sessions: [sessionRow()] });
  navigate("chat", "s1");
  await flushPromises();
  rpc.snapshot("session:s1", sessionView());
  await flushPromises();
  const field = wrapper.get("textarea");
  field.element.focus();
  await field.setValue("hello wor");
  rpc.event("workspace", { type: "slice", slice: { approvals: [approval()] } });
  await flushPromises();
  expect(wrapper.find('[role=dialog][aria-label="Approval"]').exists()).toBe(true);
  expect(document.activeElement).toBe(field.element);
  expect(field.element.value).toBe("hello wor");
  rpc.event("workspace", { type: "slice", slice: { approvals: [] } });
  await flushPromises();
  expect(document.activeElement).toBe(field.element);
  await field.setValue("");
  rpc.event("workspace", { type: "slice", slice: { approvals: [approval()] } });
  await flushPromises();
  expect(wrapper.find("textarea").exists()).toBe(false);
  expect(document.activeElement?.textContent).toContain("Allow once");
});

test("Escape stops the turn, but not from a dialog", async () => {
  const rpc = memoryRpc();
  const { wrapper } = show({ sessions: [sessionRow()] }, rpc);
  navigate("chat", "s1");
  await flushPromises();
  rpc.snapshot("session:s1", sessionView({ running: true, runningSince: 0 }));
  await flushPromises();
  const dialog = document.body.appendChild(document.createElement("div"));
  dialog.setAttribute("role", "dialog");
  dialog.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  expect(rpc.calls).toEqual([]);
  dialog.remove();
  await wrapper.get("textarea").trigger("keydown", { key: "Escape" });
  expect(rpc.calls).toEqual([{ method: "chat.stop", input: { sessionId: "s1" } }]);
  expect(wrapper.get(".tools").text()).not.toContain("Send");
});

test("a chat that came to rest elsewhere is unread until it is opened", async () => {
  const rpc = memoryRpc();
  const { wrapper } = show({ sessions: [sessionRow({ state: "running" })] }, rpc);
  await flushPromises();
  rpc.event("workspace", { type: "session", row: sessionRow({ state: "idle" }) });
  await flushPromises();
  expect(wrapper.get(".sess a").text()).toContain("unread");
  navigate("chat", "s1");
  await flushPromises();
  expect(wrapper.get(".sess a").text()).not.toContain("unread");
});

test("a lost connection is said and leaves the page as it is", async () => {
  const rpc = memoryRpc();
  const { wrapper } = show({ sessions: [sessionRow()] }, rpc);
  rpc.setState("lost");
  await flushPromises();
  expect(wrapper.get("[role=alert].banner").text()).toContain("The connection to Nacre is lost.");
  expect(wrapper.get(".sess a").text()).toContain("First chat");
});

test("what changed stands beside what was approved: arguments in boxes, hidden characters seen, files as a diff", async () => {
  const changed: DeclarationRow = {
    ...waiting,
    state: "needs_approval",
    changes: [
      { what: "args", before: '["-y","db"]', after: '["-y","db\u202E"]' },
      { what: "env.TOKEN", before: null, after: "1" },
      { what: "run.js", before: "one\ntwo\n", after: "one\n2\n" },
    ],
  };
  const approved: DeclarationRow = { ...waiting, id: "mcp:workspace/b", name: "b", state: "approved" };
  const rpc = memoryRpc({
    "trust.review": () => ({ grant: "g7", workspace: "/w", declarations: [approved, changed] }),
  });
  const { wrapper } = show({ trust: { trusted: true, waiting: [changed] } }, rpc);
  await flushPromises();
  await wrapper.findAll(".banner button").at(0)?.trigger("click");
  await vi.waitFor(() => expect(document.querySelector(".changes .code")).not.toBeNull());
  const text = (selector: string): (string | undefined)[] =>
    [...document.querySelectorAll(selector)].map((each) => each.textContent?.trim());
  expect(text("[role=dialog] .name")).toEqual(["db", "b"]);
  expect(text(".sides .add .argv li")).toEqual(["-y", "db⟨U+202E⟩"]);
  expect(text(".sides .del .argv li")).toEqual(["-y", "db"]);
  expect(text(".sides dd").slice(2)).toEqual(["nothing", "1"]);
  expect(text(".changes .code .add .tx")).toEqual(["2"]);
  expect(text(".changes .code .del .tx")).toEqual(["two"]);
});

test("an approval of no chat is asked in every room; one of a chat waits in its chat", async () => {
  const own = approval({ id: "a9", sessionId: null, because: [{ code: "widen_policy" }], rule: null });
  const { wrapper, rpc } = show({ approvals: [approval({ sessionId: "s1" })] });
  navigate("settings", "keys");
  await flushPromises();
  expect(wrapper.find('[role=dialog][aria-label="Approval"]').exists()).toBe(false);
  rpc.event("workspace", { type: "slice", slice: { approvals: [approval({ sessionId: "s1" }), own] } });
  await flushPromises();
  expect(wrapper.findAll('[role=dialog][aria-label="Approval"]')).toHaveLength(1);
});

test("what was moved into quarantine is told at once, with where it lies now, until it was seen", async () => {
  const path = "/home/me/.local/share/nacre/quarantine/1/.agent";
  const message = `.agent was made by a confined command and moved to ${path}: look at it there`;
  const { wrapper } = show({ diagnostics: [{ code: "quarantined", severity: "warning", message, path }] });
  await flushPromises();
  const banner = wrapper.get(".banner[role=alert]");
  expect(banner.text()).toContain(path);
  const names = banner.findAll("button").map((one) => one.attributes("aria-label"));
  expect(names).toEqual(["Copy where it lies now", "Dismiss"]);
  await banner.get('[aria-label="Dismiss"]').trigger("click");
  expect(wrapper.find(".banner[role=alert]").exists()).toBe(false);
});
