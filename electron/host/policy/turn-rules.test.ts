import { expect, test } from "vitest";
import { parsePermission, turnRule, type Rule } from "../config/permission.ts";
import { decide, type GateInput } from "./gate.ts";
import type { LocatedPath } from "./locate.ts";

const granted = turnRule("run_shell:git *", "ship");
const rules = (permission: unknown, trusted = true): readonly Rule[] =>
  parsePermission(permission, "settings", trusted).rules;
const call = (more: Partial<GateInput> = {}): GateInput => ({
  perm: "shell",
  policy: { approval: "on_request", sandbox: "workspace_write", networkAccess: false },
  sandboxAvailable: false,
  confinable: true,
  canAsk: true,
  paths: [],
  hosts: [],
  command: "git push",
  destructive: false,
  tool: { all: ["run_shell", "Bash"] },
  rules: [granted],
  allow: [],
  outsideText: false,
  remembered: [],
  ...more,
});
const { command: _command, ...pathCall } = call();
const read = (more: Partial<LocatedPath>): GateInput => ({
  ...pathCall,
  perm: "read",
  confinable: false,
  tool: { all: ["read_file"] },
  rules: [turnRule("read_file", "ship")],
  paths: [
    {
      given: "x",
      real: "/ws/x",
      names: ["x"],
      access: "read",
      place: "workspace",
      protectedFolder: null,
      secret: false,
      folder: "/ws",
      ...more,
    },
  ],
});

test("what a person allowed for a turn answers what would ask, and says for which skill", () => {
  expect(decide(call())).toMatchObject({
    answer: "allow",
    by: "rule run_shell:git *",
    source: "skill:ship",
  });
  expect(decide(call({ command: "rm x" })).answer).toBe("ask");
  expect(decide(call({ command: "git push && rm x" })).answer).toBe("ask");
});
test("any other rule that speaks decides instead, of an untrusted folder too", () => {
  for (const trusted of [true, false]) {
    expect(decide(call({ rules: [granted, ...rules({ run_shell: "deny" }, trusted)] })).answer).toBe("deny");
    expect(decide(call({ rules: [granted, ...rules({ Bash: { "git *": "ask" } }, trusted)] })).answer).toBe(
      "ask",
    );
  }
});
test("it lifts no reject of the policy", () => {
  const policy = { approval: "on_request", sandbox: "read_only", networkAccess: false } as const;
  expect(decide(call({ policy })).answer).toBe("deny");
});
test("it holds after text from outside: the turn was what was asked about", () => {
  expect(decide(call({ outsideText: true })).answer).toBe("allow");
});
test("it does not speak for a file that may hold secrets, nor for a process elsewhere", () => {
  expect(decide(read({ place: "outside" })).answer).toBe("allow");
  expect(decide(read({ secret: true })).answer).toBe("ask");
  expect(decide(call({ elsewhere: true })).answer).toBe("ask");
});
test("it opens no protected folder", () => {
  const input: GateInput = {
    ...read({ access: "write", protectedFolder: ".git" }),
    perm: "write",
    tool: { all: ["write_file"] },
    rules: [turnRule("write_file", "ship")],
  };
  expect(decide(input)).toMatchObject({ answer: "ask", by: "protected folder .git" });
});
