import type { Command } from "../main.ts";
import { atMost, UsageError } from "../arguments.ts";
import { withHost } from "../open-host.ts";
import { printJson, printText, table } from "../output.ts";

const usage = "nacre agents list [--json]";
export const agents: Command = {
  usage,
  flags: [],
  async run(args) {
    if ((args.positionals[0] ?? "list") !== "list") throw new UsageError(`Usage: ${usage}`);
    atMost(args, 1, usage);
    return withHost(args, async (host) => {
      const rows = host.roles.rows();
      if (args.has("json")) await printJson(rows);
      else await printText(table(rows.map((row) => [row.name, row.source, row.state, row.description])));
      return 0;
    });
  },
};
