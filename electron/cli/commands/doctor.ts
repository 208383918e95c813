import type { Command } from "../main.ts";
import { warnOfAllow } from "../allow-warning.ts";
import { atMost, jsonObject, positional } from "../arguments.ts";
import { diagnosticLine } from "../diagnostics.ts";
import { explanationText } from "../explanation-text.ts";
import { startServers, withHost } from "../open-host.ts";
import { policyFlags, policyOverrides } from "../policy-flags.ts";
import { exitCodes, printJson, printText, table } from "../output.ts";

const usage =
  "nacre doctor [--explain TOOL JSON [--approval P] [--sandbox P] [--allow PATTERN]… [--wait SECONDS]]";
export const doctor: Command = {
  usage,
  flags: ["explain", ...policyFlags, "wait"],
  async run(args) {
    if (args.has("explain")) {
      const name = positional(args, 0, "TOOL", usage);
      const input = jsonObject(args.positionals[1] ?? "{}", "JSON");
      atMost(args, 2, usage);
      return withHost(
        args,
        async (host, signal) => {
          warnOfAllow(host, args.list("allow"));
          // Tools of servers are known by nobody but the server.
          if (/^mcp(__|\.)/.test(name)) await startServers(host, args, signal);
          const verdict = host.explain(name, input);
          if (args.has("json")) await printJson(verdict);
          else await printText(explanationText(name, verdict));
          return exitCodes.done;
        },
        policyOverrides(args),
      );
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
        for (const problem of report.problems) await printText(diagnosticLine(problem));
      }
      return exitCodes.done;
    });
  },
};
