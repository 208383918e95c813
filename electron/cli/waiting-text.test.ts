import { expect, test } from "vitest";
import type { PluginRow } from "../../shared/extension-rows.ts";
import { aboutPlugin, waitingFor, waitingHint } from "./waiting-text.ts";

test("a trusted folder is not called untrusted because a declaration of it has changed", () => {
  expect(waitingHint(1, true)).toBe("1 declaration is new or changed: nacre plugins trust");
  expect(waitingHint(2, true)).toBe("2 declarations are new or changed: nacre plugins trust");
  expect(waitingHint(6, false)).toBe("untrusted workspace: /plugins trust (6 waiting)");
  expect(waitingHint(0, false)).toBeUndefined();
});
test("a tool that waits is told apart from one that nobody declares", () => {
  const runs = (what: string) => [{ what, command: ["node"] }];
  const waiting = [
    { kind: "plugin", name: "words", runs: runs("count_words") },
    { kind: "plugin", name: "served", runs: runs("inner") },
    { kind: "mcp", name: "project", runs: runs("") },
    { kind: "hook", name: "x", runs: runs("look") },
  ] as const;
  expect(waitingFor("count_words", waiting)?.name).toBe("words");
  expect(waitingFor("mcp__inner__read", waiting)?.name).toBe("served");
  expect(waitingFor("mcp.project.read", waiting)?.name).toBe("project");
  for (const name of ["look", "count", "mcp__pro__read", ""])
    expect(waitingFor(name, waiting)).toBeUndefined();
});
test("a plugin that does not work says why, and what to do", () => {
  const row: PluginRow = {
    name: "words",
    version: "1.0.0",
    description: "Counts words.",
    scope: "workspace",
    manifest: "hermit",
    path: "/ws/.agent/plugins/words",
    state: "on",
    trust: "approved",
    compatibility: { ok: false, reason: "is not for this platform" },
    contributions: [],
    diagnostics: [{ code: "x", severity: "error", message: "the manifest is no JSON" }],
  };
  const told = (state: PluginRow["state"]): string => aboutPlugin({ ...row, state });
  expect(told("untrusted")).toContain("nacre plugins trust");
  expect(told("needs_approval")).toContain("nacre plugins trust");
  expect(told("incompatible")).toBe("is not for this platform");
  expect(told("invalid")).toBe("the manifest is no JSON");
  expect(told("on")).toBe("Counts words.");
});
