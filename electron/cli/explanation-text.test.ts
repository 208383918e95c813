import { expect, test } from "vitest";
import { explanationText } from "./explanation-text.ts";

test("all that decided is told, a line each", () => {
  const text = explanationText("run_shell", {
    decision: "ask",
    decider: { kind: "rule", detail: "run_shell:git push*" },
    by: "rule run_shell:git push*",
    rule: "run_shell:git push*",
    source: "dropstone:/ws/dropstone.json",
    perm: "shell",
    because: [{ code: "no_sandbox" }, { code: "rule", detail: "run_shell:git push*" }],
    paths: [],
    hosts: [],
    parts: ["git status", "git push"],
    confined: false,
  });
  expect(text.split("\n")).toEqual([
    "run_shell asks, and is denied where nobody can be asked and no --allow answers",
    "  decided by  rule run_shell:git push* (/ws/dropstone.json)",
    "  class       shell",
    "  because     nothing can confine it",
    "  because     the rule run_shell:git push* asks",
    "  command     git status",
    "  command     git push",
    "  runs        unconfined",
  ]);
});
test("a path is told with where it leads, and what protects it", () => {
  const text = explanationText("write_file", {
    decision: "deny",
    decider: { kind: "always", detail: "write_file:x" },
    by: "always write_file:x",
    source: "always",
    perm: "write",
    because: [],
    paths: [
      { given: "link/x", real: "/out/x", access: "write", protectedFolder: null },
      { given: "/ws/.git/x", real: "/ws/.git/x", access: "write", protectedFolder: ".git" },
    ],
    hosts: ["a.example"],
    parts: [],
    confined: false,
  });
  expect(text).toContain('always write_file:x (an "always here" answer)');
  expect(text).toContain("link/x → /out/x\n");
  expect(text).toContain("  write       /ws/.git/x (protected: .git)");
  expect(text).toContain("  host        a.example");
});
test("what gave a tool its class is named beside it", () => {
  const text = explanationText("mcp__memory__read_graph", {
    decision: "allow",
    decider: { kind: "policy", detail: "" },
    by: "policy",
    perm: "read",
    permFrom: "autoApprove of /ws/.agent/mcp.json",
    because: [],
    paths: [],
    hosts: [],
    parts: [],
    confined: false,
  });
  expect(text).toContain("  class       read (autoApprove of /ws/.agent/mcp.json)");
});
