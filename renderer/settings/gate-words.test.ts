import { expect, test } from "vitest";
import type { ApprovalPolicy, SandboxPolicy } from "../../shared/policy.ts";
import { gateLines } from "./gate-words.ts";

const lines = (sandbox: SandboxPolicy, approval: ApprovalPolicy, sandboxKind: string | null = "bubblewrap") =>
  gateLines({ sandbox, approval, sandboxKind }).map(
    ({ perm, where, answer }) => `${perm} ${where} ${answer}`,
  );

test("as it ships", () =>
  expect(lines("workspace_write", "on_request")).toEqual([
    "read inside allow",
    "read outside ask",
    "write inside allow",
    "write outside ask",
    "shell confined allow",
    "shell destructive ask",
    "net any ask",
  ]));

test("where nothing can confine a command, every command asks", () =>
  expect(lines("workspace_write", "on_request", null)[4]).toBe("shell unconfined ask"));

test("never asking denies what would ask", () =>
  expect(lines("workspace_write", "never")).toEqual([
    "read inside allow",
    "read outside deny",
    "write inside allow",
    "write outside deny",
    "shell confined allow",
    "shell destructive deny",
    "net any deny",
  ]));

test("asking always lets reads inside pass alone", () => {
  expect(lines("full_access", "always")).toEqual([
    "read any allow",
    "write any ask",
    "shell any ask",
    "shell destructive ask",
    "net any ask",
  ]);
});

test("read only refuses whatever the approval policy is", () => {
  for (const approval of ["never", "on_request", "always"] as const)
    expect(lines("read_only", approval).slice(2)).toEqual([
      "write any deny",
      "shell any deny",
      "net any deny",
    ]);
});
