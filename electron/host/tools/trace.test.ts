import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import type { ApprovalAnswer } from "../../../shared/approval.ts";
import { createSandbox } from "../policy/sandbox.ts";
import type { Interceptor } from "./interceptors.ts";
import { type Bench, type CallMore, createBench, rulesOf } from "./tools.testkit.ts";

/** What the trace says of one call, and of the questions about it (spec 8, Trace). */
let bench: Bench;
afterEach(() => bench.stop());
const inWindow: CallMore = { caller: { canAsk: true } };
const full: CallMore = { policy: { sandbox: "full_access" } };
const rules = (permission: unknown): CallMore => ({ policy: { rules: rulesOf(permission) } });
const hook = (decision: "allow" | "ask" | "deny"): Interceptor => ({
  before: async () => ({ decision, name: "guard" }),
});
interface Case {
  readonly of: string;
  readonly more: CallMore;
  readonly answer?: ApprovalAnswer;
  readonly hook?: Interceptor;
  readonly rows: readonly (readonly [kind: string, decision: string, by: string, status: string])[];
}
const command = "echo hello";
const cases: readonly Case[] = [
  { of: "the policy allows", more: full, rows: [["tool", "allow", "policy", "completed"]] },
  {
    of: "the policy would ask and nobody is there",
    more: {},
    rows: [["tool", "deny", "policy", "denied"]],
  },
  {
    of: "the policy rejects",
    more: { policy: { sandbox: "read_only" } },
    rows: [["tool", "deny", "policy", "denied"]],
  },
  {
    of: "a rule allows",
    more: rules({ run_shell: { "echo *": "allow" } }),
    rows: [["tool", "allow", "rule run_shell:echo *", "completed"]],
  },
  {
    of: "a rule denies",
    more: rules({ run_shell: "deny" }),
    rows: [["tool", "deny", "rule run_shell:*", "denied"]],
  },
  {
    of: "--allow answers",
    more: { policy: { allow: ["run_shell:echo *"] } },
    rows: [["tool", "asked_allow", "--allow run_shell:echo *", "completed"]],
  },
  {
    of: "a person allows once",
    more: inWindow,
    answer: { choice: "once" },
    rows: [
      ["approval", "once", "user", "completed"],
      ["tool", "asked_allow", "user", "completed"],
    ],
  },
  {
    of: "a person denies with a note",
    more: inWindow,
    answer: { choice: "deny", note: "not now" },
    rows: [
      ["approval", "deny", "user", "denied"],
      ["tool", "asked_deny", "user", "denied"],
    ],
  },
  {
    of: "a hook allows",
    more: {},
    hook: hook("allow"),
    rows: [["tool", "asked_allow", "hook guard", "completed"]],
  },
  {
    of: "a hook denies",
    more: full,
    hook: hook("deny"),
    rows: [["tool", "deny", "hook guard", "denied"]],
  },
];
const told = (): (readonly unknown[])[] =>
  bench.trace.map(({ kind, decision, by, status }) => [kind, decision, by, status]);

it.each(cases)(
  "the trace says who decided where $of, and how it ran",
  async ({ more, answer, hook: one, rows }) => {
    bench = createBench(one ? { interceptors: [one] } : {});
    const call = bench.call("run_shell", { command }, more);
    if (answer) await bench.answer(answer);
    await call;
    expect(told()).toEqual(rows);
    const [last] = bench.trace.slice(-1);
    expect(last?.sandboxed).toBe(last?.status === "completed" ? false : null);
    expect(last?.exitCode).toBe(last?.status === "completed" ? 0 : undefined);
    for (const row of bench.trace)
      expect(row).toMatchObject({ origin: "builtin", durationMs: expect.any(Number) });
  },
);
it("the trace says what answered from memory: the rule of this session", async () => {
  bench = createBench();
  const first = bench.call("run_shell", { command }, inWindow);
  await bench.answer({ choice: "session" });
  await first;
  await bench.call("run_shell", { command }, inWindow);
  expect(told().slice(0, 2)).toEqual([
    ["approval", "session", "user", "completed"],
    ["tool", "asked_allow", "user", "completed"],
  ]);
  expect(bench.trace[2]).toMatchObject({ kind: "tool", by: expect.stringContaining("run_shell:echo hello") });
  expect(bench.trace[2]?.by).toMatch(/session|remembered/);
});

const home = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-trace-"));
const folder = (name: string): string => path.join(home, name);
const sandbox = createSandbox({
  platform: process.platform,
  env: process.env,
  paths: { home, config: folder("config"), data: folder("data"), cache: folder("cache"), cst: folder("cst") },
});
const works = process.platform === "linux" && (await sandbox.verify()).ok;
fs.rmSync(home, { recursive: true });
it.runIf(works)(
  "the trace says of a run once more unconfined that it was asked for, and that it was not confined",
  async () => {
    bench = createBench({ sandbox });
    const outside = fs.mkdtempSync("/var/tmp/nacre-trace-");
    try {
      const call = bench.call("run_shell", { command: `touch ${outside}/canary` }, inWindow);
      await bench.answer({ choice: "once" });
      await call;
      expect(fs.existsSync(path.join(outside, "canary"))).toBe(true);
      expect(bench.trace).toMatchObject([
        { kind: "approval", decision: "once", by: "user", sandboxed: false },
        { kind: "tool", decision: "asked_allow", by: "user", sandboxed: false, exitCode: 0 },
      ]);
    } finally {
      fs.rmSync(outside, { recursive: true });
    }
  },
);
