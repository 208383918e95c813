import { expect, test } from "vitest";
import { deciderOf } from "./decider.ts";

test.each([
  ["policy", "policy", ""],
  ["rule run_shell:git*", "rule", "run_shell:git*"],
  ["protected folder .git", "folder", ".git"],
  ["always run_shell:make", "always", "run_shell:make"],
  ["session run_shell:make", "session", "run_shell:make"],
  ["hook guard", "hook", "guard"],
  ["--allow mcp__git__*", "allow", "mcp__git__*"],
  ["something new", "other", "something new"],
])("%s", (by, kind, detail) => expect(deciderOf(by)).toEqual({ kind, detail }));
