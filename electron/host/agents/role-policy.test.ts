import { expect, test } from "vitest";
import type { CallPolicy, Tool } from "../tools/types.ts";
import { lastMatch } from "../policy/rules.ts";
import { rulesOf } from "../tools/tools.testkit.ts";
import { policyOfRole, toolsOfRole } from "./role-policy.ts";
import type { RoleHead } from "./role.ts";

const tool = (name: string, perm: Tool["perm"], title = name): Tool => ({
  name,
  title,
  description: "",
  perm,
  origin: { kind: "builtin", owner: "nacre" },
  inputSchema: {},
  run: () => Promise.reject(new Error("not run here")),
});
const offered = [
  tool("ask_user", "read"),
  tool("mcp__git__log", "net", "mcp.git.log"),
  tool("read_file", "read"),
  tool("run_shell", "shell"),
  tool("task", "read"),
  tool("write_file", "write"),
];
const role = (head: Partial<RoleHead>): RoleHead => ({
  name: "r",
  description: "d",
  tools: { allow: null, deny: [] },
  readonly: false,
  skills: [],
  prompt: "",
  ...head,
});
const names = (tools: readonly Tool[]): string[] => tools.map(({ name }) => name);

test("a sub-agent never gets task or ask_user, even where its file names them", () => {
  expect(
    names(toolsOfRole(role({ tools: { allow: ["task", "ask_user", "read_file"], deny: [] } }), offered)),
  ).toEqual(["read_file"]);
});
test("readonly drops what writes or runs, also where the list names it", () => {
  const reader = role({
    readonly: true,
    tools: { allow: ["run_shell", "write_file", "read_file"], deny: [] },
  });
  expect(names(toolsOfRole(reader, offered))).toEqual(["read_file"]);
  expect(names(toolsOfRole(role({ readonly: true }), offered))).toEqual(["mcp__git__log", "read_file"]);
});
test("patterns match the model's and the interface's names, and a denial wins", () => {
  expect(names(toolsOfRole(role({ tools: { allow: ["mcp.git.*"], deny: [] } }), offered))).toEqual([
    "mcp__git__log",
  ]);
  expect(
    names(toolsOfRole(role({ tools: { allow: ["*"], deny: ["mcp__*", "run_shell"] } }), offered)),
  ).toEqual(["read_file", "write_file"]);
});
test("a conversation that runs as a role keeps task", () => {
  expect(names(toolsOfRole(role({}), offered, "main"))).toContain("task");
});
test("agent.<name>.tools takes tools away, by any of their names; the last that fits counts", () => {
  const left = (switched: Record<string, boolean>, head: Partial<RoleHead> = {}): string[] =>
    names(toolsOfRole(role(head), offered, "main", switched));
  const all = left({});
  expect(left({ read_file: false })).toEqual(all.filter((name) => name !== "read_file"));
  expect(left({ Bash: false, "mcp.git.*": false })).toEqual(
    all.filter((name) => name !== "run_shell" && name !== "mcp__git__log"),
  );
  expect(left({ "*": false, read_file: true })).toEqual(["read_file"]);
  expect(left({ read_file: true, "*": false })).toEqual([]);
  expect(left({ constructor: false, __proto__: false } as Record<string, boolean>)).toEqual(all);
});
test("true in agent.<name>.tools adds nothing that the role itself does not have", () => {
  const named = { run_shell: true, write_file: true, task: true };
  expect(names(toolsOfRole(role({ readonly: true }), offered, "sub-agent", named))).toEqual([
    "mcp__git__log",
    "read_file",
  ]);
  const listed = role({ tools: { allow: ["read_file"], deny: ["write_file"] } });
  expect(names(toolsOfRole(listed, offered, "main", named))).toEqual(["read_file"]);
});
test("a role's permission narrows and never widens, but for the skills that it may load", () => {
  const policy: CallPolicy = {
    approval: "on_request",
    sandbox: "workspace_write",
    writableRoots: [],
    networkAccess: false,
    rules: [],
    allow: [],
  };
  const careful = role({
    permission: { run_shell: "allow", write_file: "deny", skill: { "doc-*": "allow" } },
  });
  const { rules } = policyOfRole(careful, policy, true);
  expect(rules.map(({ tool, pattern, answer }) => `${tool}:${pattern}=${answer}`)).toEqual([
    "write_file:*=deny",
    "skill:doc-*=allow",
  ]);
  // Of a workspace that nobody trusts even the skills stay as the user set them.
  const untrusted = policyOfRole(careful, { ...policy, rules }, false).rules;
  expect(untrusted.slice(2).map(({ tool, answer, trusted }) => [tool, answer, trusted])).toEqual([
    ["write_file", "deny", false],
    ["skill", "allow", false],
  ]);
  expect(
    lastMatch([...rulesOf({ skill: "deny" }), ...untrusted.slice(2)], ["skill"], ["doc-a"])?.answer,
  ).toBe("deny");
});
