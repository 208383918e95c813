import type { McpServerRow } from "../../shared/mcp.ts";

/** The servers that count: of each name the first. The others are listed in the settings alone. */
export const countingServers = (rows: readonly McpServerRow[]): McpServerRow[] =>
  rows.filter((row, index) => rows.findIndex(({ name }) => name === row.name) === index);
