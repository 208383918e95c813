import { NacreError } from "../../../shared/errors.ts";
import type { Host } from "../../host/host.ts";
import type { Command } from "../main.ts";
import { atMost, positional, UsageError } from "../arguments.ts";
import { withHost } from "../open-host.ts";
import { exitCodes, printJson, printText, table } from "../output.ts";

const usage =
  "nacre skills list | show NAME [--file F] | doctor [NAME] | enable NAME | disable NAME [--source S]";

/** The row that a name means: the winner, or the one of `source`. @throws NacreError `not_found` */
function rowOf(host: Host, name: string, source: string | undefined) {
  const rows = host.skills
    .rows()
    .filter((row) => row.name === name && (source === undefined || row.source === source));
  const row = rows.find(({ state }) => state === "on") ?? rows[0];
  if (!row)
    throw new NacreError(
      "not_found",
      `there is no skill ${name}${source === undefined ? "" : ` of ${source}`}: see nacre skills list`,
    );
  return row;
}

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
          const report = {
            roots: host.skills.roots(),
            diagnostics:
              name === undefined ? host.skills.diagnostics() : rows.flatMap((row) => row.diagnostics),
          };
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
          const { id } = rowOf(host, name, args.text("source"));
          await host.switches.set(id, verb === "enable");
          await host.skills.reload();
          await printJson(host.skills.rows().find((row) => row.id === id));
          return exitCodes.done;
        });
      }
      default:
        throw new UsageError(`Usage: ${usage}`);
    }
  },
};
