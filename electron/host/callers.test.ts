import { expect, test } from "vitest";
import { isOutside } from "./callers.ts";
import { ToolRegistry } from "./tools/registry.ts";
import { spyTool } from "./tools/tools.testkit.ts";
import type { Tool, ToolCallResult } from "./tools/types.ts";

const tools = new ToolRegistry();
const add = (name: string, perm: Tool["perm"], kind: Tool["origin"]["kind"] = "builtin"): void =>
  void tools.add(spyTool({ name, title: name, perm, origin: { kind, owner: "x" } }).tool);
add("read_file", "read");
add("write_file", "write");
add("run_shell", "shell");
add("fetch_url", "net");
add("ask_user", "read");
add("task", "read");
add("weather", "net", "plugin");
add("lint", "shell", "plugin");
add("mcp__x__y", "net", "mcp");
add("mcp__x__approved", "read", "mcp");

const outside = (name: string, trusted: boolean, more: Partial<ToolCallResult> = {}): boolean =>
  isOutside({ trust: { isTrusted: () => trusted }, tools })({
    id: "1",
    name,
    title: name,
    origin: tools.get(name)?.origin.kind === "builtin" ? "builtin" : `${tools.get(name)?.origin.kind} x`,
    input: {},
    output: "text",
    isError: false,
    durationMs: 0,
    decision: "allow",
    sandboxed: null,
    by: "policy",
    ...more,
  });

test.each([
  ["read_file", false, true],
  ["run_shell", false, true],
  ["lint", false, true],
  ["task", false, true],
  ["write_file", false, false],
  ["ask_user", false, false],
  ["fetch_url", true, true],
  ["weather", true, true],
  ["mcp__x__y", true, true],
  ["mcp__x__approved", true, true],
])("%s is text from outside: trusted or not %s, in an untrusted workspace %s", (name, trusted, untrusted) => {
  expect([outside(name, true), outside(name, false)]).toEqual([trusted, untrusted]);
});
test("a command that failed has shown its output all the same; what was denied has shown nothing", () => {
  expect(outside("run_shell", false, { isError: true, exitCode: 1 })).toBe(true);
  expect(outside("mcp__x__y", true, { isError: true })).toBe(true);
  expect(outside("read_file", false, { isError: true, decision: "deny" })).toBe(false);
  expect(outside("fetch_url", true, { isError: true, decision: "asked_deny" })).toBe(false);
});
test("a sub-agent that met text from outside brings it along", () => {
  expect(outside("task", true, { outside: true })).toBe(true);
});
