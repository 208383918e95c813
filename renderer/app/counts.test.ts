import { expect, test } from "vitest";
import { summaryLine } from "../../shared/summary.ts";
import { summaryCounts } from "./counts.ts";

test.each([
  { skills: 2, plugins: 1, pluginTools: 3, mcpServers: 1 },
  { skills: 1, plugins: 2, pluginTools: 0, mcpServers: 0 },
  { skills: 0, plugins: 0, pluginTools: 0, mcpServers: 12 },
  { skills: 0, plugins: 0, pluginTools: 0, mcpServers: 0 },
])("reads back what the host's line says: %o", (counts) =>
  expect(summaryCounts(summaryLine(counts))).toEqual(counts),
);
