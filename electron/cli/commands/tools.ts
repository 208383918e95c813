import { NacreError } from "../../../shared/errors.ts";
import type { Host } from "../../host/host.ts";
import type { ToolCallResult } from "../../host/tools/types.ts";
import type { Command } from "../main.ts";
import { warnOfAllow } from "../allow-warning.ts";
import { atMost, jsonObject, positional, UsageError } from "../arguments.ts";
import { askOnTerminal, canAskHere } from "../ask.ts";
import { startServers, withHost } from "../open-host.ts";
import { policyOverrides, policyFlags } from "../policy-flags.ts";
import { exitCodes, printJson, printText, table } from "../output.ts";
import { waitingFor } from "../waiting-text.ts";

const usage =
  "nacre tools list | call NAME JSON [--approval P] [--sandbox P] [--allow PATTERN]… [--wait SECONDS]";
export const tools: Command = {
  usage,
  flags: [...policyFlags, "wait"],
  async run(args) {
    const verb = args.positionals[0] ?? "list";
    if (verb === "list") {
      atMost(args, 1, usage);
      return withHost(args, async (host, signal) => {
        await startServers(host, args, signal);
        const rows = host.toolRows();
        if (args.has("json")) await printJson(rows);
        else
          await printText(
            table(rows.map((row) => [row.name, row.perm, row.origin, row.description.split("\n")[0] ?? ""])),
          );
        return exitCodes.done;
      });
    }
    if (verb !== "call") throw new UsageError(`Usage: ${usage}`);
    const name = positional(args, 1, "NAME", usage);
    const input = jsonObject(positional(args, 2, "JSON", usage), "JSON");
    atMost(args, 3, usage);
    const policy = policyOverrides(args);
    const canAsk = canAskHere(policy);
    return withHost(
      args,
      async (host, signal) => {
        warnOfAllow(host, args.list("allow"));
        const call = async (): Promise<ToolCallResult> => {
          // Tools of servers, and those that read their resources, are the only ones that need one.
          if (/^mcp(__|\.)|_mcp_resources?$/.test(name)) await startServers(host, args, signal);
          refuseWaiting(host, name);
          return host.callTool(name, input, signal);
        };
        // A server that starts may want its user signed in.
        const stopAsking = canAsk ? askOnTerminal(host) : () => undefined;
        const result = await call().finally(stopAsking);
        const { output, isError, exitCode, durationMs, decision, sandboxed } = result;
        if (args.has("json"))
          await printJson({
            output,
            isError,
            ...(exitCode === undefined ? {} : { exitCode }),
            durationMs,
            decision,
            sandboxed,
          });
        else await printText(output);
        const refused = decision === "asked_deny" || (decision === "deny" && result.by !== "arguments");
        if (refused) return exitCodes.denied;
        if (exitCode === exitCodes.timeout) return exitCodes.timeout;
        return isError ? exitCodes.failed : exitCodes.done;
      },
      { ...policy, canAsk },
    );
  },
};

/** @throws NacreError `not_trusted` for a tool that waits with what brings it */
function refuseWaiting(host: Host, name: string): void {
  const waits = waitingFor(
    name,
    host.waiting().map(({ row }) => row),
  );
  if (waits && !host.toolRows().some((row) => row.name === name))
    throw new NacreError(
      "not_trusted",
      `${name} was not called: its ${waits.kind === "mcp" ? "server" : "plugin"} ${waits.name} waits for trust: nacre plugins trust`,
    );
}
