import { expect, test } from "vitest";
import { deciderText, type Decider } from "./decider.ts";

test.each<[Decider["kind"], string, string]>([
  ["policy", "", "policy"],
  ["rule", "run_shell:git*", "rule run_shell:git*"],
  ["folder", ".git", "protected folder .git"],
  ["always", "run_shell:make", "always run_shell:make"],
  ["session", "run_shell:make", "session run_shell:make"],
  ["hook", "guard", "hook guard"],
  ["allow", "mcp__git__*", "--allow mcp__git__*"],
])("%s %s", (kind, detail, text) => expect(deciderText({ kind, detail })).toBe(text));
