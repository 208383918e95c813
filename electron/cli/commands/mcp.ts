import type { Command } from "../main.ts";
import { atMost, jsonObject, positional, UsageError } from "../arguments.ts";
import { logIn, logOut } from "../mcp-login.ts";
import { startServers, withHost } from "../open-host.ts";
import { policyFlags, policyOverrides } from "../policy-flags.ts";
import { exitCodes, printJson, printText, table } from "../output.ts";

const usage =
  "nacre mcp list [--wait SECONDS] | call SERVER TOOL JSON | logs SERVER | tools SERVER | add NAME COMMAND…|URL|JSON [--set KEY=VALUE]… [--yes] | remove NAME | approve NAME [TOOL] [--yes] | test NAME [--yes] | import [CLIENT] | import --add NAME… | login SERVER | logout SERVER";
export const mcp: Command = {
  usage,
  flags: ["wait", "set", "yes", "add", ...policyFlags],
  async run(args) {
    const verb = args.positionals[0] ?? "list";
    const changes = await import("./mcp-changes.ts");
    const named = (most = 2): string => {
      atMost(args, most, usage);
      return positional(args, 1, "NAME", usage);
    };
    switch (verb) {
      case "add":
        positional(args, 2, "COMMAND or URL", usage);
        return changes.addServer(args, named(Infinity), args.positionals.slice(2));
      case "remove":
        return changes.removeServer(args, named());
      case "approve":
        return changes.approveServer(args, named(3), args.positionals[2]);
      case "test":
        return changes.testServer(args, named());
      case "tools":
        return changes.listTools(args, named());
      case "import":
        return changes.importServers(args, args.positionals.slice(1));
    }
    if (verb === "list") {
      atMost(args, 1, usage);
      return withHost(args, async (host, signal) => {
        await startServers(host, args, signal);
        const rows = [...host.mcp.rows(), ...host.mcp.shadowedRows()];
        if (args.has("json")) await printJson(rows);
        else
          await printText(
            table(
              rows.map((row) => [
                row.name,
                row.state,
                `${row.toolCount} tools${row.changedTools === undefined ? "" : `, ${row.changedTools} changed`}`,
                row.tokens === undefined ? "" : `${row.tokens} tokens`,
                row.shadowedBy === undefined
                  ? (row.stderr ?? row.error ?? "")
                  : `shadowed by ${row.shadowedBy}`,
              ]),
            ),
          );
        return exitCodes.done;
      });
    }
    if (verb === "login" || verb === "logout") {
      const name = positional(args, 1, "SERVER", usage);
      atMost(args, 2, usage);
      return verb === "login" ? logIn(args, name) : logOut(args, name);
    }
    if (verb === "logs") {
      const name = positional(args, 1, "SERVER", usage);
      atMost(args, 2, usage);
      return withHost(args, async (host) => {
        const lines = host.mcp.logs(name);
        if (args.has("json")) await printJson(lines);
        else await printText(lines.join("\n"));
        return exitCodes.done;
      });
    }
    if (verb !== "call") throw new UsageError(`Usage: ${usage}`);
    const server = positional(args, 1, "SERVER", usage);
    const tool = positional(args, 2, "TOOL", usage);
    const input = jsonObject(args.positionals[3] ?? "{}", "JSON");
    atMost(args, 4, usage);
    return withHost(
      args,
      async (host, signal) => {
        await startServers(host, args, signal);
        await host.mcp.startServer(server);
        // Who types the server and the tool has answered the question; a rule that denies still does.
        const result = await host.callTool(`mcp.${server}.${tool}`, input, signal, true);
        const { content, structuredContent, isError, durationMs, output, decision } = result;
        await printJson({
          content: content ?? [{ type: "text", text: output }],
          ...(structuredContent === undefined ? {} : { structuredContent }),
          isError,
          durationMs,
        });
        return decision === "deny" && result.by !== "arguments"
          ? exitCodes.denied
          : isError
            ? exitCodes.failed
            : exitCodes.done;
      },
      policyOverrides(args),
    );
  },
};
