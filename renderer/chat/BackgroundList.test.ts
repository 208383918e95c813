import { expect, test } from "vitest";
import { flushPromises } from "@vue/test-utils";
import type { BackgroundRow } from "../../shared/workspace.ts";
import { mountApp } from "../mount.testing.ts";
import { memoryRpc } from "../rpc.testing.ts";
import { sessionView } from "../fixtures.testing.ts";
import BackgroundList from "./BackgroundList.vue";
import { useChat } from "./store.ts";

const row = (part: Partial<BackgroundRow> = {}): BackgroundRow => ({
  id: "shell-1",
  callId: "c1",
  sessionId: "s1",
  command: "npm run dev",
  startedAt: Date.now(),
  state: "running",
  confined: true,
  lastLine: "ready on 8080",
  ...part,
});
const show = (background: readonly BackgroundRow[], rpc = memoryRpc()) => {
  const { wrapper } = mountApp(BackgroundList, { rpc, view: { background } });
  useChat().open("s1");
  rpc.snapshot("session:s1", sessionView());
  return wrapper;
};

test("lists what this chat has running in the background, and nothing of other chats or what has ended", async () => {
  const wrapper = show([
    row(),
    row({ id: "shell-2", command: "other", sessionId: "s2" }),
    row({ id: "shell-3", command: "over", state: "exited", exitCode: 0 }),
  ]);
  await flushPromises();
  expect(wrapper.findAll("li").map((item) => item.text())).toEqual([expect.stringContaining("npm run dev")]);
  expect(wrapper.get("ul").attributes("aria-label")).toBe("Running in the background");
});
test("ends a command", async () => {
  const rpc = memoryRpc();
  const wrapper = show([row()], rpc);
  await flushPromises();
  await wrapper.get("button[aria-label='Stop npm run dev']").trigger("click");
  expect(rpc.calls).toContainEqual({ method: "background.stop", input: { id: "shell-1" } });
});
test("shows the output, anew when more came, and stays with the end until it is closed", async () => {
  let output = "starting\n";
  const rpc = memoryRpc({ "background.output": () => ({ output }) });
  const wrapper = show([row()], rpc);
  await flushPromises();
  await wrapper.get("button[aria-expanded]").trigger("click");
  await flushPromises();
  expect(wrapper.get("pre").text()).toBe("starting");
  output = "starting\nready\u202e on 8080\n";
  rpc.event("workspace", {
    type: "slice",
    slice: { background: [row({ state: "exited", exitCode: 3, lastLine: "ready" })] },
  });
  await flushPromises();
  expect(wrapper.get("pre").text()).toContain("ready");
  expect(wrapper.get("pre").text()).not.toContain("\u202e");
  expect(wrapper.text()).toContain("exit code 3");
  await wrapper.get("button[aria-expanded]").trigger("click");
  expect(wrapper.find("li").exists()).toBe(false);
});
test("asks for the lines that it shows, once at a time however often the command writes, and in the end has the last", async () => {
  const answers: ((output: string) => void)[] = [];
  const rpc = memoryRpc({
    "background.output": () =>
      new Promise((resolve) => answers.push((output) => resolve({ output }))) as never,
  });
  const wrapper = show([row()], rpc);
  await flushPromises();
  await wrapper.get("button[aria-expanded]").trigger("click");
  for (const lastLine of ["two", "three", "four"]) {
    rpc.event("workspace", { type: "slice", slice: { background: [row({ lastLine })] } });
    await flushPromises();
  }
  const asked = () => rpc.calls.filter(({ method }) => method === "background.output");
  expect(asked()).toEqual([{ method: "background.output", input: { id: "shell-1", lines: 400 } }]);
  answers[0]?.("one");
  await flushPromises();
  expect(asked()).toHaveLength(2);
  answers[1]?.("one\ntwo\nthree\nfour");
  await flushPromises();
  expect(wrapper.get("pre").text()).toContain("four");
  expect(asked()).toHaveLength(2);
});
