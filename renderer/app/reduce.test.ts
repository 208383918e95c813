import { expect, test } from "vitest";
import { mcpRow, sessionRow, skillRow, workspaceView } from "../fixtures.testing.ts";
import { reduceWorkspace } from "./reduce.ts";

const view = workspaceView({
  mcp: [mcpRow({ name: "a" }), mcpRow({ name: "b" })],
  sessions: [sessionRow({ id: "s1" }), sessionRow({ id: "s2" })],
});

test("a slice replaces its members and leaves the others as they are", () => {
  const summary = { skills: 1, plugins: 0, pluginTools: 0, mcpServers: 0 };
  const next = reduceWorkspace(view, { type: "slice", slice: { summary } });
  expect(next.summary).toBe(summary);
  expect(next.mcp).toBe(view.mcp);
});

test("a server's row replaces the one of its id in place, or is added", () => {
  const failed = mcpRow({ name: "a", state: "failed" });
  expect(reduceWorkspace(view, { type: "mcp", row: failed }).mcp).toEqual([failed, view.mcp[1]]);
  const added = mcpRow({ name: "c" });
  expect(reduceWorkspace(view, { type: "mcp", row: added }).mcp).toEqual([...view.mcp, added]);
});

test("a session's row is replaced and added", () => {
  const running = sessionRow({ id: "s2", state: "running" });
  expect(reduceWorkspace(view, { type: "session", row: running }).sessions[1]).toBe(running);
  const added = sessionRow({ id: "s3" });
  expect(reduceWorkspace(view, { type: "session", row: added }).sessions).toHaveLength(3);
});

test("a part of the skills replaces the rows that stand there, and what is behind the total is gone", () => {
  const names = (next: typeof view): string[] => next.skills.map(({ name }) => name);
  const skill = (name: string) => skillRow({ name });
  const before = workspaceView({ skills: ["a", "b", "c"].map(skill) });
  const part = (at: number, rows: readonly string[], total: number) =>
    reduceWorkspace(before, { type: "skills", at, rows: rows.map(skill), total });
  expect(names(part(1, ["x"], 3))).toEqual(["a", "x", "c"]);
  expect(names(part(3, ["d", "e"], 5))).toEqual(["a", "b", "c", "d", "e"]);
  expect(names(part(2, [], 2))).toEqual(["a", "b"]);
  expect(names(part(0, ["x", "y"], 2))).toEqual(["x", "y"]);
});
