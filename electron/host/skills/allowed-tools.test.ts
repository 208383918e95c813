import { expect, test } from "vitest";
import { toolRequest } from "./allowed-tools.ts";

const here = new Set([
  "run_shell",
  "read_file",
  "write_file",
  "edit_file",
  "fetch_url",
  "skill",
  "task",
  "grep",
]);
const request = (...written: string[]) => toolRequest(written, (name) => here.has(name));

test.each([
  ["Read", ["read_file"]],
  ["Bash", ["run_shell"]],
  ["Bash(*)", ["run_shell"]],
  ["Bash(git status:*)", ["run_shell:git status", "run_shell:git status *"]],
  ["Bash(git status *)", ["run_shell:git status", "run_shell:git status *"]],
  ["Bash(git add -A)", ["run_shell:git add -A"]],
  ["Bash(git * main)", ["run_shell:git * main"]],
  ["run_shell:npm test*", ["run_shell:npm test*"]],
  ["Edit(./docs/a.md)", ["edit_file:docs/a.md"]],
  ["Write(docs/**)", ["write_file:docs/**"]],
  ["Read(//var/log/**)", ["read_file:/var/log/**"]],
  ["WebFetch(domain:example.com)", ["fetch_url:example.com"]],
  ["WebFetch(domain:*.example.com)", ["fetch_url:*.example.com"]],
  ["mcp__git", ["mcp__git__*"]],
  ["mcp__git__*", ["mcp__git__*"]],
  ["mcp__git__status", ["mcp__git__status"]],
  ["mcp.git.status", ["mcp.git.status"]],
  ["mcp.git", ["mcp.git.*"]],
  ["Task(explore)", ["task:explore"]],
  ["Skill(docs:pdf)", ["skill:docs:pdf"]],
])("%s is the same in our rules, or narrower", (written, patterns) => {
  expect(request(written)).toEqual({ patterns, left: [] });
});
test.each([
  ["WebSearch", "there is no tool WebSearch here"],
  ["*", "it does not name one tool"],
  ["run_*", "it does not name one tool"],
  ["mcp__*", "it does not name one server"],
  ["mcp__git(status)", "no rule says exactly this"],
  ["Bash(ls ?)", "no rule says exactly this"],
  ["Bash()", "no rule says exactly this"],
  ["Read(*.md)", "no rule says exactly this"],
  ["Read(notes.md)", "no rule says exactly this"],
  ["Read(src/*.ts)", "no rule says exactly this"],
  ["Read(~/.ssh/**)", "no rule says exactly this"],
  ["Read(/etc/**)", "no rule says exactly this"],
  ["Write(../**)", "no rule says exactly this"],
  ["Write(a/../../b)", "no rule says exactly this"],
  ["Write(**)", "no rule says exactly this"],
  ["WebFetch(https://example.com)", "no rule says exactly this"],
  ["Grep(x)", "no rule says exactly this"],
  ["Task(*)", "no rule says exactly this"],
])("%s is not taken", (written, reason) => {
  expect(request(written)).toEqual({ patterns: [], left: [{ written, reason }] });
});
test("what is asked for twice is one rule", () => {
  expect(request("Read", "fs.read", "Bash(ls:*)", "Bash(ls *)").patterns).toEqual([
    "read_file",
    "run_shell:ls",
    "run_shell:ls *",
  ]);
});
