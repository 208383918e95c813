import path from "node:path";
import type { Command } from "../main.ts";
import { atMost, oneOf, positional, UsageError } from "../arguments.ts";
import { diagnosticLine, printDiagnostics } from "../diagnostics.ts";
import { hostOptions, withHost } from "../open-host.ts";
import { exitCodes, printJson, printText, table } from "../output.ts";

const usage =
  "nacre skills list | show NAME [--file F] | doctor [NAME] | enable NAME | disable NAME [--source S] | new NAME [--scope user|workspace] | validate PATH";

export const skills: Command = {
  usage,
  flags: ["file", "source", "scope"],
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
            for (const one of report.diagnostics) await printText(diagnosticLine(one));
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
      case "new": {
        const name = positional(args, 1, "NAME", usage);
        atMost(args, 2, usage);
        const scope = oneOf(args, "scope", ["user", "workspace"] as const) ?? "workspace";
        return withHost(args, async (host) => {
          const { writeNewSkill } = await import("../../host/skills/new-skill.ts");
          const { paths } = hostOptions(args);
          const file = await writeNewSkill({ name, scope, workspace: host.workspace, paths });
          await host.skills.reload();
          await printJson(host.skills.rows().find((row) => row.path === file));
          return exitCodes.done;
        });
      }
      case "validate": {
        const at = path.resolve(positional(args, 1, "PATH", usage));
        atMost(args, 2, usage);
        const { validateSkill } = await import("../../host/skills/validate.ts");
        return printDiagnostics(await validateSkill(at), args.has("json"));
      }
      default:
        throw new UsageError(`Usage: ${usage}`);
    }
  },
};
