import { expect, test } from "vitest";
import { flushPromises } from "@vue/test-utils";
import type { ToolCallView } from "../../shared/session.ts";
import { toolCall } from "../fixtures.testing.ts";
import { mountApp } from "../mount.testing.ts";
import { memoryRpc } from "../rpc.testing.ts";
import { useChat } from "./store.ts";
import ToolCard from "./ToolCard.vue";

const show = (part: Partial<ToolCallView>, rpc = memoryRpc()) =>
  mountApp(ToolCard, { rpc, props: { call: toolCall(part), startedAt: 0 } }).wrapper;

test("the group is named by the call's title", () => {
  const wrapper = show({
    name: "mcp__pg__query",
    title: "mcp.pg.query",
    origin: "mcp pg",
    input: { sql: "select 1" },
  });
  expect(wrapper.get("[role=group]").attributes("aria-label")).toBe("Tool call mcp.pg.query");
  expect(wrapper.text()).toContain("select 1");
  expect(wrapper.get(".badge").text()).toBe("pg");
});

test("opens to arguments, output and what decided", async () => {
  const wrapper = show({ output: "# Title", exitCode: 0, decision: "asked_allow" });
  expect(wrapper.text()).not.toContain("# Title");
  await wrapper.get("button").trigger("click");
  expect(wrapper.text()).toContain('"path": "README.md"');
  expect(wrapper.text()).toContain("# Title");
  expect(wrapper.text()).toContain("You allowed it.");
});

test("a running call shows the end of its output, a failed one why", () => {
  const output = Array.from({ length: 40 }, (_, index) => `line ${index}`).join("\n");
  expect(show({ state: "running", durationMs: null, output }).get("pre").text()).toMatch(
    /^line 28[\s\S]*line 39$/,
  );
  const failed = show({ state: "failed", output });
  expect(failed.get("pre").text()).toBe("line 37\nline 38\nline 39");
  expect(failed.text()).toContain("failed");
});

test.each([
  ["run_shell", { command: "rm -rf out" }, "Not run"],
  ["write_file", { path: "x" }, "Not written"],
  ["mcp__pg__query", { sql: "drop" }, "Not done: pg.query"],
])("a denied call of %s is not told as done", (name, input, words) => {
  const title = name.startsWith("mcp") ? "pg.query" : name;
  const wrapper = show({ name, title, input, state: "denied", decision: "asked_deny" });
  expect(wrapper.get(".verb").text()).toBe(words);
  expect(wrapper.text()).toContain("you denied it");
});

test.each([
  [{ name: "pdf" }, "done", "Loaded skill pdf"],
  [{ name: "pdf" }, "running", "Loading skill pdf"],
  [{ name: "pdf", file: "docs/forms.md" }, "done", "Read docs/forms.md of pdf"],
  [{ name: "pdf", file: "a\u202Eb" }, "failed", "Read a⟨U+202E⟩b of pdf"],
] as const)("a skill of %j that is %s reads as what it did", (input, state, words) => {
  const wrapper = show({ name: "skill", title: "skill", input, state });
  expect(`${wrapper.get(".verb").text()} ${wrapper.get(".arg").text()}`).toBe(words);
});

test("says whether a process was confined", () => {
  expect(show({ sandboxed: true }).text()).toContain("confined");
  expect(show({ sandboxed: false }).text()).toContain("not confined");
  expect(show({ sandboxed: null }).text()).not.toContain("confined");
});

test("a cut output can be had whole", async () => {
  const rpc = memoryRpc({ "chat.output": () => ({ output: "the whole of it" }) });
  const wrapper = show({ output: "the\n… (15 characters in all)" }, rpc);
  useChat().open("s1");
  await wrapper.get("button").trigger("click");
  const whole = wrapper.findAll("button").find((button) => button.text() === "Show all of it");
  await whole?.trigger("click");
  await flushPromises();
  expect(wrapper.text()).toContain("the whole of it");
});
