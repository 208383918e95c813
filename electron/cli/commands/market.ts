import { NacreError } from "../../../shared/errors.ts";
import type { InstallPlan, Receipt } from "../../../shared/market.ts";
import type { Command } from "../main.ts";
import { agreed } from "../agreed.ts";
import { atMost, oneOf, positional, UsageError, type Arguments } from "../arguments.ts";
import { withHost } from "../open-host.ts";
import { policyFlags, policyOverrides } from "../policy-flags.ts";
import { exitCodes, printError, printJson, printText, table } from "../output.ts";

const usage =
  "nacre market search QUERY [--kind K] [--source ID] | plan ID | install ID [--scope S] [--set KEY=VALUE]… [--yes] | uninstall ID | list | sources";

/** `--set KEY=VALUE` as an object. @throws UsageError */
function variablesOf(args: Arguments): Record<string, string> {
  return Object.fromEntries(
    args.list("set").map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new UsageError(`--set takes KEY=VALUE, not "${pair}"`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
function planForPeople(plan: InstallPlan): string {
  return [
    `Install ${plan.name} (${plan.kind}, ${plan.scope})`,
    ...plan.writes.map(({ path, bytes }) => `  writes  ${path} (${bytes} bytes)`),
    ...plan.commands.map((argv) => `  runs    ${argv.map((part) => JSON.stringify(part)).join(" ")}`),
    ...plan.variables.map(
      ({ key, required, secret }) =>
        `  asks    ${key}${required ? ", required" : ""}${secret ? ", secret" : ""}`,
    ),
    ...plan.requirements.map(({ kind, need, found, ok, hint }) =>
      `  needs   ${kind} ${need ?? ""}: ${ok ? `found ${found ?? ""}` : `not found. ${hint ?? ""}`}`.trimEnd(),
    ),
  ].join("\n");
}
/** What a receipt lists, in words. */
const installed = ({ files, entries }: Receipt): string =>
  [
    ...(files.length > 0 ? [`${files.length} ${files.length === 1 ? "file" : "files"}`] : []),
    ...entries.map(({ path }) => `an entry in ${path}`),
  ].join(", ");

export const market: Command = {
  usage,
  flags: ["kind", "source", "scope", "set", "yes", ...policyFlags],
  async run(args) {
    const verb = positional(args, 0, "a word", usage);
    const scope = oneOf(args, "scope", ["user", "workspace"]) ?? "user";
    switch (verb) {
      case "search": {
        const query = args.positionals[1] ?? "";
        const kind = oneOf(args, "kind", ["skill", "plugin", "mcp"]);
        atMost(args, 2, usage);
        return withHost(args, async (host) => {
          const market = await host.market();
          const found = await market.search(query, kind);
          const source = args.text("source");
          const items = found.items.filter((item) => source === undefined || item.source === source);
          if (args.has("json")) await printJson({ items, sources: found.sources });
          else
            await printText(table(items.map((item) => [item.id, item.kind, item.trust, item.description])));
          return exitCodes.done;
        });
      }
      case "plan":
      case "install": {
        const id = positional(args, 1, "ID", usage);
        atMost(args, 2, usage);
        const variables = variablesOf(args);
        return withHost(
          args,
          async (host, signal) => {
            const market = await host.market();
            const plan = await market.plan(id, scope, variables);
            if (verb === "plan") {
              if (args.has("json")) await printJson(plan);
              else await printText(planForPeople(plan));
              return exitCodes.done;
            }
            host.assertMayInstall();
            if (!args.has("yes")) {
              printError(planForPeople(plan));
              if (!(await agreed("Install this?", signal)))
                throw new NacreError(
                  "denied",
                  process.stdin.isTTY
                    ? "not installed: nothing was written"
                    : "not installed: there is no terminal to ask on; --yes answers the question",
                );
            }
            const receipt = await host.install(plan, variables, (step) => printError(`${step}…`), signal);
            if (args.has("json")) await printJson(receipt);
            else await printText(`installed ${receipt.name}: ${installed(receipt)}`);
            return exitCodes.done;
          },
          policyOverrides(args),
        );
      }
      case "uninstall": {
        const id = positional(args, 1, "ID", usage);
        atMost(args, 2, usage);
        return withHost(args, async (host) => {
          const receipt = await (await host.market()).uninstall(id);
          if (args.has("json")) await printJson(receipt);
          else {
            await printText(`removed ${receipt.name}`);
            for (const path of receipt.kept) printError(`kept, because it was changed: ${path}`);
          }
          return exitCodes.done;
        });
      }
      case "list":
      case "sources": {
        atMost(args, 1, usage);
        return withHost(args, async (host) => {
          const market = await host.market();
          if (verb === "sources") {
            const rows = market.sources();
            if (args.has("json")) await printJson(rows);
            else
              await printText(
                table(rows.map((row) => [row.id, row.kind, row.enabled ? "on" : "off", row.url])),
              );
            return exitCodes.done;
          }
          const receipts = market.receipts();
          if (args.has("json")) await printJson(receipts);
          else await printText(table(receipts.map((one) => [one.id, one.kind, one.scope, one.installedAt])));
          return exitCodes.done;
        });
      }
      default:
        throw new UsageError(`Usage: ${usage}`);
    }
  },
};
