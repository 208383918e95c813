import { expect, test } from "vitest";
import { mcpRow, sessionRow, workspaceView } from "../fixtures.testing.ts";
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
