import { expect, test } from "vitest";
import { inputLine, isCut, parseOrigin, plainOutput, skillFile, verbForm } from "./tool-summary.ts";

test.each([
  ["read_file", { path: "src/a.ts", offset: 3 }, "src/a.ts"],
  ["run_shell", { command: "npm\n  test" }, "npm test"],
  ["run_shell", { command: 3 }, `{"command":3}`],
  ["mcp__pg__query", { sql: "select 1" }, "select 1"],
  ["mcp__pg__query", { sql: "select 1", limit: 2 }, '{"sql":"select 1","limit":2}'],
  ["mcp__pg__ping", {}, ""],
  ["x", undefined, ""],
  ["x", [1], "[1]"],
])("%s %j", (name, input, line) => expect(inputLine({ name, input })).toBe(line));

test.each([
  ["builtin", { kind: "builtin", owner: "" }],
  ["", { kind: "builtin", owner: "" }],
  ["plugin jira", { kind: "plugin", owner: "jira" }],
  ["mcp my server", { kind: "mcp", owner: "my server" }],
  ["agent explore", { kind: "other", owner: "explore" }],
])("origin %j", (text, origin) => expect(parseOrigin(text)).toEqual(origin));

test.each([
  ["waiting", "active"],
  ["running", "active"],
  ["done", "done"],
  ["failed", "done"],
  ["denied", "denied"],
] as const)("a call that is %s is told as %s", (state, form) => expect(verbForm({ state })).toBe(form));

test.each([
  ["skill", { name: "pdf", file: "forms.md" }, { name: "pdf", file: "forms.md" }],
  ["skill", { name: "pdf" }, null],
  ["skill", { name: "pdf", file: "" }, null],
  ["read_file", { name: "pdf", file: "x" }, null],
  ["skill", "pdf", null],
])("the skill's file of %s %j", (name, input, file) => expect(skillFile({ name, input })).toEqual(file));

test("escape sequences and rewritten lines do not show", () => {
  expect(plainOutput("\u001b[32mok\u001b[0m\r\n\u001b]0;title\u0007next")).toBe("ok\nnext");
  expect(plainOutput("10 %\r50 %\r100 %\ndone\r\n")).toBe("100 %\ndone\n");
  expect(plainOutput("a\u001bMb")).toBe("ab");
});

test("a cut output says so", () => {
  expect(isCut("text\n… (12345 bytes in all)")).toBe(true);
  expect(isCut("text")).toBe(false);
});
