import { expect, test } from "vitest";
import { summaryLine } from "../../shared/summary.ts";
import type { DeclarationRow } from "../../shared/workspace.ts";
import { mcpRow } from "../fixtures.testing.ts";
import { mountApp } from "../mount.testing.ts";
import StatusBar from "./StatusBar.vue";

test.each([
  [{ skills: 2, plugins: 1, pluginTools: 3, mcpServers: 1 }, "2 skills · 1 plugin (3 tools) · 1 MCP server"],
  [{ skills: 1, plugins: 2, pluginTools: 0, mcpServers: 0 }, "1 skill · 2 plugins"],
  [{ skills: 0, plugins: 0, pluginTools: 0, mcpServers: 12 }, "12 MCP servers"],
  [{ skills: 0, plugins: 0, pluginTools: 0, mcpServers: 0 }, "no extensions"],
])("the status says the host's numbers word for word as the command line does: %o", (summary, line) => {
  const { wrapper } = mountApp(StatusBar, { view: { summary } });
  const status = wrapper.get('[role=status][aria-label="Extensions"]');
  expect(status.get("span").text()).toBe(line);
  expect(summaryLine(summary)).toBe(line);
});
test("how many servers are ready is told of those that are on", () => {
  const mcp = [mcpRow({ name: "a" }), mcpRow({ name: "b", state: "failed" })];
  const summary = { skills: 0, plugins: 0, pluginTools: 0, mcpServers: 2 };
  const { wrapper } = mountApp(StatusBar, { view: { summary, mcp } });
  expect(wrapper.get("[role=status] b").text()).toBe("1/2 MCP ready");
});

const waiting: DeclarationRow = {
  id: "mcp:workspace/db",
  kind: "mcp",
  name: "db",
  path: ".mcp.json",
  runs: [],
  state: "untrusted",
};
const shown = (trusted: boolean, declarations: readonly DeclarationRow[]): string =>
  mountApp(StatusBar, { view: { trust: { trusted, waiting: declarations } } }).wrapper.text();

test("trust is told where something waits or the folder is trusted", () => {
  expect(shown(true, [])).toContain("Trusted");
  expect(shown(false, [waiting])).toContain("Untrusted");
  expect(shown(false, [])).not.toMatch(/trusted/i);
});

test("300 servers are 24 dots without names and a number; what failed comes first", () => {
  const mcp = Array.from({ length: 300 }, (_one, index) =>
    mcpRow({ name: `s${index}`, state: index >= 295 ? "failed" : "ready" }),
  );
  const { wrapper } = mountApp(StatusBar, { view: { mcp } });
  const dots = wrapper.findAll(".dots li");
  expect(dots).toHaveLength(24);
  expect(dots.slice(0, 6).map((dot) => dot.attributes("aria-label"))).toEqual([
    "s295: failed",
    "s296: failed",
    "s297: failed",
    "s298: failed",
    "s299: failed",
    "s0: ready",
  ]);
  expect(wrapper.get(".dots").text()).toBe("");
  expect(wrapper.get('[aria-label="276 more servers"]').text()).toBe("+276");
});
