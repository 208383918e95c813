import { NacreError, toErrorValue } from "../../../shared/errors.ts";
import type { McpServerRow } from "../../../shared/mcp.ts";
import { type ApprovingPorts, ToolApprovals, toolLine } from "./pins-command.ts";
import type { CommandResult, SlashCommand } from "../tools/commands.ts";

const hint =
  "list | reload | start NAME | stop NAME | restart NAME | logs NAME | tools NAME | approve NAME [TOOL] | enable NAME | disable NAME";
const shownLogLines = 200;

/** What `/mcp` needs of the manager. */
export interface McpCommandPorts extends ApprovingPorts {
  rows(): McpServerRow[];
  shadowedRows(): McpServerRow[];
  restartAll(): Promise<void>;
  startServer(name: string): Promise<void>;
  stopServer(name: string): Promise<void>;
  restartServer(name: string): Promise<void>;
  logs(name: string): string[];
}

/** One server in a line: `github  ready  26 tools  stdio  workspace`. */
function line(row: McpServerRow): string {
  const marks = [
    ...(row.changedTools === undefined ? [] : [`${row.changedTools} changed, held back`]),
    ...(row.newTools === undefined ? [] : [`${row.newTools} new`]),
  ];
  const tools = `${row.toolCount} tool${row.toolCount === 1 ? "" : "s"}${marks.map((mark) => `, ${mark}`).join("")}`;
  const why =
    row.shadowedBy === undefined
      ? [row.error, row.stderr].filter((text) => text !== undefined).join(": ")
      : `shadowed by ${row.shadowedBy}`;
  return `${row.name}  ${row.state}  ${tools}  ${row.transport}  ${row.origin}${why === "" ? "" : `  ${why}`}`;
}

/** `/mcp` (spec 8). */
export function mcpCommands(
  mcp: McpCommandPorts,
  setSwitch: (name: string, on: boolean) => Promise<void>,
): readonly SlashCommand[] {
  const list = (name?: string): string => {
    const rows = [...mcp.rows(), ...mcp.shadowedRows()].filter(
      (row) => name === undefined || row.name === name,
    );
    return rows.length === 0 ? "no MCP servers" : rows.map(line).join("\n");
  };
  const approvals = new ToolApprovals(mcp);
  const byName: Readonly<Record<string, (name: string) => Promise<void>>> = {
    start: (name) => mcp.startServer(name),
    stop: (name) => mcp.stopServer(name),
    restart: (name) => mcp.restartServer(name),
    enable: (name) => setSwitch(name, true),
    disable: (name) => setSwitch(name, false),
  };
  const answer = async (args: string): Promise<string> => {
    const [, verb = "list", name = ""] = /^(\S*)\s*(.*)$/s.exec(args.trim()) ?? [];
    if (verb === "" || verb === "list") return list();
    if (verb === "reload") {
      await mcp.restartAll();
      return list();
    }
    const action = Object.hasOwn(byName, verb) ? byName[verb] : undefined;
    if (!action && !["logs", "tools", "approve"].includes(verb))
      throw new NacreError("invalid_input", `/mcp knows: ${hint}`);
    if (name === "") throw new NacreError("invalid_input", `/mcp ${verb} needs a server's name`);
    if (verb === "tools")
      return (
        mcp
          .details(name)
          .tools.map((tool) => toolLine(tool).join("  "))
          .join("\n") || "no tools"
      );
    if (verb === "approve") {
      // A server's name may hold blanks, a tool's does not.
      const isServer = mcp.rows().some((row) => row.name === name);
      const [, server = name, tool] = (!isServer && /^(.*)\s+(\S+)$/s.exec(name)) || [];
      return approvals.approve(server, tool);
    }
    if (!action) return mcp.logs(name).slice(-shownLogLines).join("\n") || "the log is empty";
    await action(name);
    return list(name);
  };
  const run = async (args: string): Promise<CommandResult> => {
    try {
      return { kind: "text", text: await answer(args) };
    } catch (error) {
      return { kind: "text", text: toErrorValue(error).message, isError: true };
    }
  };
  return [{ name: "mcp", description: "MCP servers: list, start, stop, logs, tools, approve", hint, run }];
}
