import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { visibleText } from "../../../shared/visible-text.ts";
import type { DeclarationRow } from "../../../shared/workspace.ts";
import type { Command } from "../main.ts";
import { atMost, positional, UsageError } from "../arguments.ts";
import { printDiagnostics } from "../diagnostics.ts";
import { startServers, withHost } from "../open-host.ts";
import { exitCodes, printError, printJson, printText, table } from "../output.ts";
import { aboutPlugin } from "../waiting-text.ts";

const usage =
  "nacre plugins list | show NAME | enable NAME | disable NAME [--contribution ID] | trust | untrust | validate PATH";

/** What is about to be trusted, and what is different from what was approved before. */
function printReview({ kind, name, path: file, runs, changes }: DeclarationRow): void {
  printError(`trusting ${kind} ${name} (${file})`);
  for (const { what, command, settings = [] } of runs) {
    printError(`  ${[what, ...command.map((word) => JSON.stringify(word))].join(" ").trim()}`);
    for (const { name: way, value } of settings) printError(`    ${visibleText(way)}: ${visibleText(value)}`);
  }
  for (const { what, before, after } of changes ?? []) {
    printError(`  changed: ${what}`);
    for (const [sign, text] of [
      ["-", before],
      ["+", after],
    ] as const)
      if (text !== null) for (const line of changedLines(text)) printError(`    ${sign} ${line}`);
  }
}
/** A text that came from a folder: hidden characters seen, and no more of it than a person reads. */
function changedLines(text: string): string[] {
  const lines = visibleText(text).split("\n");
  return lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines), `… (+${lines.length - mostLines})`];
}
const mostLines = 40;

export const plugins: Command = {
  usage,
  flags: ["contribution", "wait"],
  async run(args) {
    const verb = args.positionals[0] ?? "list";
    switch (verb) {
      case "list":
        atMost(args, 1, usage);
        return withHost(args, async (host, signal) => {
          await startServers(host, args, signal);
          const rows = host.plugins.rows();
          if (args.has("json")) await printJson(rows);
          else
            await printText(
              table(rows.map((row) => [row.name, row.version, row.scope, row.state, aboutPlugin(row)])),
            );
          return exitCodes.done;
        });
      case "trust":
      case "untrust":
        atMost(args, 1, usage);
        return withHost(args, async (host) => {
          if (verb === "trust") {
            const shown = host.declarations();
            for (const one of shown) if (one.state !== "approved") printReview(host.review(one));
            await host.trustWorkspace(shown);
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
          const shown = host.plugins.rows().find((row) => row.name === name);
          if (!shown) throw new NacreError("not_found", `there is no plugin ${name}: see nacre plugins list`);
          const row =
            verb === "show"
              ? shown
              : await host.plugins.setEnabled(name, verb === "enable", args.text("contribution"));
          await printJson(row);
          return exitCodes.done;
        });
      }
      case "validate": {
        const folder = path.resolve(positional(args, 1, "PATH", usage));
        atMost(args, 2, usage);
        const { validatePlugin } = await import("../../host/plugins/validate.ts");
        return printDiagnostics(validatePlugin(folder), args.has("json"));
      }
      default:
        throw new UsageError(`Usage: ${usage}`);
    }
  },
};
