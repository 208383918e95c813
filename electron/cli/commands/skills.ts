import type { Command } from "../main.ts";
import { atMost, positional, UsageError } from "../arguments.ts";
import { withHost } from "../open-host.ts";
import { exitCodes, printJson, printText, table } from "../output.ts";

const usage =
  "nacre skills list | show NAME [--file F] | doctor [NAME] | enable NAME | disable NAME [--source S]";

export const skills: Command = {
  usage,
  flags: ["file", "source"],
  async run(args) {
    const verb = args.positionals[0] ?? "list";
    switch (verb) {
      case "list":
        atMost(args, 1, usage);
        return withHost(args, async (host) => {
          const rows = host.skills.rows();
          if (args.has("json")) await printJson(rows);
          else await printText(table(rows.map((row) => [row.name, row.source, row.state, row.description])));
          return exitCodes.done;
        });
      case "show": {
        const name = positional(args, 1, "NAME", usage);
        atMost(args, 2, usage);
        return withHost(args, async (host) => {
          const file = args.text("file");
          if (file !== undefined) {
            await printText(await host.skills.readFile(name, file));
            return exitCodes.done;
          }
          const detail = await host.skills.show(name);
          if (args.has("json")) await printJson(detail);
          else await printText(detail.content);
          return exitCodes.done;
        });
      }
      case "doctor": {
        const name = args.positionals[1];
        atMost(args, 2, usage);
        return withHost(args, async (host) => {
          const rows = host.skills.rows().filter((row) => name === undefined || row.name === name);
          const report = host.skills.report(name);
          if (args.has("json")) await printJson(report);
          else {
            await printText(
              table(
                report.roots.map((root) => [
                  root.source,
                  root.path,
                  root.exists ? `${root.count} skills` : "–",
                ]),
              ),
            );
            for (const one of report.diagnostics)
              await printText(
                `${one.severity} ${one.code} ${one.path ?? ""}${one.line === undefined ? "" : `:${one.line}`}: ${one.message}${one.fix === undefined ? "" : ` Fix: ${one.fix}`}`,
              );
            for (const row of name === undefined ? [] : rows)
              await printText(
                `${row.name} (${row.source}): ${row.state}${row.shadowedBy === undefined ? "" : `, shadowed by ${row.shadowedBy}`} ${row.path}`,
              );
          }
          return exitCodes.done;
        });
      }
      case "enable":
      case "disable": {
        const name = positional(args, 1, "NAME", usage);
        atMost(args, 2, usage);
        return withHost(args, async (host) => {
          await printJson(await host.skills.setEnabled(name, verb === "enable", args.text("source")));
          return exitCodes.done;
        });
      }
      default:
        throw new UsageError(`Usage: ${usage}`);
    }
  },
};
