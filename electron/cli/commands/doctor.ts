import type { Command } from "../main.ts";
import { atMost, jsonObject, positional } from "../arguments.ts";
import { withHost } from "../open-host.ts";
import { exitCodes, printJson, printText, table } from "../output.ts";

const usage = "nacre doctor [--explain TOOL JSON]";
export const doctor: Command = {
  usage,
  flags: ["explain"],
  async run(args) {
    if (args.has("explain")) {
      const name = positional(args, 0, "TOOL", usage);
      const input = jsonObject(args.positionals[1] ?? "{}", "JSON");
      atMost(args, 2, usage);
      return withHost(args, async (host) => {
        const verdict = host.explain(name, input);
        if (args.has("json")) await printJson(verdict);
        else await printText(`${verdict.decision}, decided by ${verdict.by}`);
        return exitCodes.done;
      });
    }
    atMost(args, 0, usage);
    return withHost(args, async (host) => {
      const report = await host.doctor();
      if (args.has("json")) await printJson(report);
      else {
        await printText(
          table([
            ["node", report.node],
            ["electron", report.electron ?? "not here: the app opens in a browser"],
            ["sandbox", `${report.sandbox.kind}${report.sandbox.ok ? "" : " (not available)"}`],
            ["config", report.config],
            ...report.models.map((model) => ["model", `${model.id}${model.ok ? "" : `: ${model.error}`}`]),
          ]),
        );
        for (const problem of report.problems)
          await printText(
            `${problem.severity} ${problem.code}: ${problem.message}${problem.path === undefined ? "" : ` (${problem.path})`}${problem.fix === undefined ? "" : ` Fix: ${problem.fix}`}`,
          );
      }
      return exitCodes.done;
    });
  },
};
