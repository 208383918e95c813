import type { Command } from "../main.ts";
import { atMost, oneOf, positional, UsageError } from "../arguments.ts";
import { withHost } from "../open-host.ts";
import { exitCodes, printJson, printText, table } from "../output.ts";

const usage = "nacre sessions list | show ID | export ID [--format md|json]";
export const sessions: Command = {
  usage,
  flags: ["format"],
  async run(args) {
    const verb = args.positionals[0] ?? "list";
    if (verb === "list") {
      atMost(args, 1, usage);
      return withHost(args, async (host) => {
        const rows = host.chats.list();
        if (args.has("json")) await printJson(rows);
        else
          await printText(
            table(rows.map((row) => [row.id, row.updatedAt, `${row.turns} turns`, row.state, row.title])),
          );
        return exitCodes.done;
      });
    }
    if (verb !== "show" && verb !== "export") throw new UsageError(`Usage: ${usage}`);
    const id = positional(args, 1, "ID", usage);
    atMost(args, 2, usage);
    const format = oneOf(args, "format", ["md", "json"]) ?? (verb === "show" ? "json" : "md");
    return withHost(args, async (host) => {
      const { row, entries } = await host.exportSession(id);
      if (format === "json" || args.has("json")) await printJson({ ...row, entries });
      else await printText((await import("../../host/chat/markdown.ts")).exportMarkdown(row, entries));
      return exitCodes.done;
    });
  },
};
