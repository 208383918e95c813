import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { NacreError } from "../../../shared/errors.ts";
import { visibleName } from "../../../shared/visible-text.ts";
import type { ToolView } from "./offered-tools.ts";
import { definitionDigest } from "./pins.ts";
import type { McpServer } from "./server.ts";
import type { McpToolDefinition } from "./types.ts";

const mostNamed = 10;
/** The tools of one verdict, by name: `search, fetch and 3 more`. Undefined where there are none. */
function namedTools(
  views: readonly ToolView[],
  state: ToolView["verdict"]["state"],
): { readonly names: string; readonly count: number } | undefined {
  const all = views.filter(({ verdict }) => verdict.state === state);
  if (all.length === 0) return undefined;
  const names = all.slice(0, mostNamed).map(({ definition }) => visibleName(definition.name));
  const more = all.length - names.length;
  return { names: names.join(", ") + (more > 0 ? ` and ${more} more` : ""), count: all.length };
}

/** What is wrong with what servers offer, and which of their tools wait for a person. */
export function toolDiagnostics(
  servers: readonly { readonly server: McpServer; readonly views: readonly ToolView[] }[],
  others: readonly string[],
): Diagnostic[] {
  const ofServers = servers.flatMap(({ server, views }): Diagnostic[] => {
    const { file: path } = server.declaration;
    const own = `MCP server "${server.name}"`;
    const problems = server.problems.map((problem): Diagnostic => ({
      code: "mcp-tool",
      severity: "warning",
      message: `${own}: ${problem}`,
      path,
    }));
    const changed = namedTools(views, "changed");
    const added = namedTools(views, "new");
    if (changed)
      problems.push({
        code: "mcp-tool-changed",
        severity: "warning",
        message: `${own}: held back, as their definitions are not those that were approved: ${changed.names}`,
        path,
        fix: `look at them in Settings, MCP servers, or approve them with /mcp approve ${server.name}`,
      });
    if (added)
      problems.push({
        code: "mcp-tool-new",
        severity: "info",
        message: `${own}: offered since its first list: ${added.names}`,
        path,
      });
    return problems;
  });
  return [
    ...ofServers,
    ...others.map((message): Diagnostic => ({ code: "mcp-tool", severity: "warning", message })),
  ];
}

/**
 * The definitions that a person was shown, each by its digest.
 * @throws NacreError `not_found` for a tool that the server does not have now; `denied` where it is not what was shown
 */
export const shownTools = (
  server: McpServer,
  shown: readonly { readonly name: string; readonly digest: string }[],
): McpToolDefinition[] =>
  shown.map(({ name, digest }) => {
    const tool = server.tools.find((one) => one.name === name);
    if (!tool)
      throw new NacreError(
        "not_found",
        `the MCP server "${server.name}" has no tool "${name}" at this moment`,
      );
    if (definitionDigest(tool) !== digest)
      throw new NacreError(
        "denied",
        `the tool "${name}" of "${server.name}" has changed since it was shown: look at it again`,
      );
    return tool;
  });
