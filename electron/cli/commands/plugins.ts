import { NacreError } from "../../../shared/errors.ts";
import type { Command } from "../main.ts";
import { atMost, positional, UsageError } from "../arguments.ts";
import { startServers, withHost } from "../open-host.ts";
import { exitCodes, printError, printJson, printText, table } from "../output.ts";

const usage =
  "nacre plugins list | show NAME | enable NAME | disable NAME [--contribution ID] | trust | untrust";
export const plugins: Command = {
  usage,
  flags: ["contribution", "wait"],
  async run(args) {
    const verb = args.positionals[0] ?? "list";
    switch (verb) {
      case "list":
        atMost(args, 1, usage);
        return withHost(args, async (host) => {
          await startServers(host, args);
          const rows = host.plugins.rows();
          if (args.has("json")) await printJson(rows);
          else
            await printText(
              table(rows.map((row) => [row.name, row.version, row.scope, row.state, row.description])),
            );
          return exitCodes.done;
        });
      case "trust":
      case "untrust":
        atMost(args, 1, usage);
        return withHost(args, async (host) => {
          if (verb === "trust") {
            for (const row of host.waiting())
              printError(`trusting ${row.kind} ${row.name}: ${row.command.join(" ")} (${row.path})`);
            await host.trustWorkspace();
          } else await host.trust.untrust();
          const answer = { trusted: host.trust.isTrusted(), workspace: host.workspace };
          if (args.has("json")) await printJson(answer);
          else await printText(`${answer.workspace}: ${answer.trusted ? "trusted" : "not trusted"}`);
          return exitCodes.done;
        });
      case "show":
      case "enable":
      case "disable": {
        const name = positional(args, 1, "NAME", usage);
        atMost(args, 2, usage);
        return withHost(args, async (host) => {
          const find = () => host.plugins.rows().find((row) => row.name === name);
          const row = find();
          if (!row) throw new NacreError("not_found", `there is no plugin ${name}: see nacre plugins list`);
          if (verb !== "show") {
            const id = args.text("contribution") ?? `plugin:${name}`;
            if (id !== `plugin:${name}` && !row.contributions.some((one) => one.id === id))
              throw new NacreError("not_found", `the plugin ${name} has no contribution ${id}`);
            await host.switches.set(id, verb === "enable");
            await host.plugins.reload();
          }
          await printJson(find() ?? row);
          return exitCodes.done;
        });
      }
      default:
        throw new UsageError(`Usage: ${usage}`);
    }
  },
};
