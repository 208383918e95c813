import type { ExtensionCounts } from "../../shared/summary.ts";

const number = (pattern: RegExp, text: string): number => Number(pattern.exec(text)?.[1] ?? 0);

/**
 * The counts inside the host's summary line (shared/summary.ts), so that another language says the same numbers: the
 * one source of every sum on screen.
 */
export const summaryCounts = (summary: string): ExtensionCounts => ({
  skills: number(/(\d+) skill/, summary),
  plugins: number(/(\d+) plugin/, summary),
  pluginTools: number(/\((\d+) tool/, summary),
  mcpServers: number(/(\d+) MCP server/, summary),
});
