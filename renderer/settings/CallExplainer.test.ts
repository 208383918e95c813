import { flushPromises } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ExplanationView } from "../../shared/contract/policy.ts";
import { NacreError } from "../../shared/errors.ts";
import { workspaceView } from "../fixtures.testing.ts";
import { mountApp } from "../mount.testing.ts";
import { memoryRpc } from "../rpc.testing.ts";
import CallExplainer from "./CallExplainer.vue";
import { restMs } from "./use-explanation.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const text = { type: "string" };
const row = (name: string, properties: object, required: readonly string[]) => ({
  name,
  title: name,
  description: "",
  perm: "read",
  origin: "builtin",
  inputSchema: { type: "object", properties, required },
});
const tools = [
  row("run_shell", { command: text, timeout: { type: "number" } }, ["command"]),
  row("write_file", { path: text, content: text }, ["path", "content"]),
  row("task", { prompt: text }, ["prompt"]),
];
const explanation = (part: Partial<ExplanationView> = {}): ExplanationView => ({
  decision: "ask",
  decider: { kind: "policy", detail: "" },
  by: "policy",
  perm: "shell",
  because: [],
  paths: [],
  hosts: [],
  parts: [],
  confined: false,
  ...part,
});
type Answer = NonNullable<NonNullable<Parameters<typeof memoryRpc>[0]>["policy.explain"]>;
async function show(answer: Answer) {
  const rpc = memoryRpc({ "tools.list": () => tools, "policy.explain": answer });
  const mounted = mountApp(CallExplainer, { rpc });
  await flushPromises();
  const rest = async (): Promise<void> => {
    vi.advanceTimersByTime(restMs);
    await flushPromises();
  };
  const asked = () => rpc.calls.filter(({ method }) => method === "policy.explain").map(({ input }) => input);
  return { ...mounted, rpc, rest, asked };
}

test("a command is asked about once the typing rests, and the answer is told in words", async () => {
  const { wrapper, rest, asked } = await show(() =>
    explanation({
      decision: "deny",
      decider: { kind: "rule", detail: "run_shell:rm *" },
      by: "rule run_shell:rm *",
      rule: "run_shell:rm *",
      source: "dropstone:/p/dropstone.json",
      because: [{ code: "destructive" }],
      parts: ["git status", "rm -rf x"],
      confined: true,
      hosts: ["example.com"],
      paths: [{ given: "a", real: "/w/.git/a", access: "write", protectedFolder: ".git" }],
    }),
  );
  const field = wrapper.get<HTMLInputElement>("input[placeholder^='git status']");
  await field.setValue("git stat");
  vi.advanceTimersByTime(restMs - 1);
  await field.setValue("git status; rm -rf x");
  await rest();
  expect(asked()).toEqual([
    { tool: "run_shell", input: { command: "git status; rm -rf x" }, outsideText: false },
  ]);
  const result = wrapper.get(".result").text();
  for (const words of [
    "denied",
    "the rule run_shell:rm *",
    "File /p/dropstone.json",
    "it can destroy data",
    "rm -rf x",
    "/w/.git/a",
    ".git is protected",
    "example.com",
    "confined",
  ])
    expect(result.replace(/\s+/g, " ")).toContain(words);
});

test("other texts that a tool insists on are filled in, and the way of typing keeps what was typed", async () => {
  const { wrapper, rest, asked } = await show(() => explanation());
  await wrapper.get("input").setValue("write_file");
  await wrapper.get("input[placeholder='src/index.ts']").setValue("notes.md");
  await rest();
  expect(asked().at(-1)).toEqual({
    tool: "write_file",
    input: { content: "", path: "notes.md" },
    outsideText: false,
  });
  await wrapper.findAll("[role=radio]")[1]?.trigger("click");
  expect(JSON.parse(wrapper.get("textarea").element.value)).toEqual({ content: "", path: "notes.md" });
});

test("a tool without a simple form takes JSON; what is no JSON is said and not sent", async () => {
  const { wrapper, rest, asked } = await show(() => explanation());
  await wrapper.get("input").setValue("task");
  await wrapper.get("textarea").setValue("{nothing");
  await rest();
  expect(asked()).toEqual([]);
  expect(wrapper.get(".problem").text()).toContain("This is no JSON object");
  await wrapper.get("textarea").setValue("[1]");
  expect(wrapper.get(".problem").text()).toContain("This is no JSON object");
  await wrapper.get("textarea").setValue('{"prompt": "x"}');
  await rest();
  expect(asked()).toEqual([{ tool: "task", input: { prompt: "x" }, outsideText: false }]);
});

test("what the host says against a call stands where the answer would", async () => {
  const { wrapper, rest } = await show(() => {
    throw new NacreError("not_found", 'there is no tool "run_shel"; did you mean run_shell?');
  });
  await wrapper.get("input").setValue("run_shel");
  await wrapper.get("textarea").setValue("{}");
  await rest();
  expect(wrapper.get(".problem").text()).toBe('there is no tool "run_shel"; did you mean run_shell?');
});

test("an answer to an older question is dropped, and another policy asks anew", async () => {
  const late: ((view: ExplanationView) => void)[] = [];
  const { wrapper, rpc, rest, asked } = await show(
    () => new Promise((resolve) => void late.push(resolve)) as never,
  );
  const field = wrapper.get("input[placeholder^='git status']");
  await field.setValue("one");
  await rest();
  await field.setValue("two");
  await rest();
  late[1]?.(explanation({ decision: "allow" }));
  await flushPromises();
  late[0]?.(explanation({ decision: "deny" }));
  await flushPromises();
  expect(wrapper.get(".verdict").text()).toContain("allowed");
  rpc.event("workspace", {
    type: "slice",
    slice: { settings: { ...workspaceView().settings, approval: "always" } },
  });
  await flushPromises();
  await rest();
  expect(asked()).toHaveLength(3);
});

test("the call can be asked about as if outside text had come", async () => {
  const { wrapper, rest, asked } = await show(() => explanation());
  await wrapper.get("input[placeholder^='git status']").setValue("ls");
  await wrapper.get("[role=switch]").trigger("click");
  await rest();
  expect(asked().at(-1)).toMatchObject({ outsideText: true });
});
