import { expect, test } from "vitest";
import { toolChoice } from "./tool-choice.ts";

const choose = (data: Record<string, unknown>) => {
  const codes: string[] = [];
  const { allow, deny } = toolChoice(data, "r", (_key, { code }) => codes.push(code));
  return { allow, deny, codes };
};

test.each([
  ["absent", {}, null, []],
  ["nothing", { tools: null }, null, []],
  ["a list", { tools: ["Read", "Grep", "custom_tool"] }, ["read_file", "grep", "custom_tool"], []],
  ["text with commas", { tools: "Read, Bash,  mcp__git__*" }, ["read_file", "run_shell", "mcp__git__*"], []],
  ["an empty list", { tools: [] }, [], []],
  [
    "a map that takes away",
    { tools: { Write: false, Edit: "no", Bash: true } },
    null,
    ["write_file", "edit_file"],
  ],
  ["a map that gives back", { tools: { Write: false, write_file: true } }, null, []],
  [
    "a map that starts from nothing",
    { tools: { "*": false, Read: true, Grep: true } },
    ["read_file", "grep"],
    [],
  ],
  ["a map that starts from all", { tools: { Bash: false, "*": true } }, null, []],
  ["disallowedTools", { tools: "Read", disallowedTools: ["Bash"] }, ["read_file"], ["run_shell"]],
  ["disallowed_tools", { disallowed_tools: "WebFetch" }, null, ["fetch_url"]],
])("%s", (_what, data, allow, deny) => expect(choose(data)).toEqual({ allow, deny, codes: [] }));

test("what is no list gives nothing, what is no switch counts as off, and both are told", () => {
  expect(choose({ tools: 3 })).toEqual({ allow: [], deny: [], codes: ["role-tools-invalid"] });
  expect(choose({ tools: { Bash: "maybe" } })).toEqual({
    allow: null,
    deny: ["run_shell"],
    codes: ["role-switch-invalid"],
  });
});
test("arguments of a tool are left to permissions, and a denial with arguments takes the whole tool", () => {
  expect(choose({ tools: "Read, Bash(git diff: *)", disallowedTools: ["Bash(rm:*)"] })).toEqual({
    allow: ["read_file", "run_shell"],
    deny: ["run_shell"],
    codes: ["role-tool-arguments", "role-tool-arguments"],
  });
});
