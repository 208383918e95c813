/** What is on, bundled skills not counted (cli.md). */
export interface ExtensionCounts {
  readonly skills: number;
  readonly plugins: number;
  readonly pluginTools: number;
  readonly mcpServers: number;
}

const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? "" : "s"}`;

/** `2 skills · 1 plugin (3 tools) · 1 MCP server`; zero parts left out; `no extensions` when all are (cli.md). */
export function summaryLine(counts: ExtensionCounts): string {
  const plugin =
    count(counts.plugins, "plugin") +
    (counts.pluginTools > 0 ? ` (${count(counts.pluginTools, "tool")})` : "");
  const parts = [
    counts.skills > 0 ? count(counts.skills, "skill") : "",
    counts.plugins > 0 ? plugin : "",
    counts.mcpServers > 0 ? count(counts.mcpServers, "MCP server") : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "no extensions" : parts.join(" · ");
}
