import path from "node:path";
import { Workspaces } from "../../host/hosts.ts";
import { openExternally } from "../../serve/open-externally.ts";
import { serve } from "../../serve/serve.ts";
import type { Command } from "../main.ts";
import { atMost, UsageError, wholeNumber, type Arguments } from "../arguments.ts";
import { onHangUp } from "../hang-up.ts";
import { hostOptions, printSummary } from "../open-host.ts";
import { exitCodes, printError } from "../output.ts";

const usage = "nacre serve [--port N] [--no-open]";

/** Serves until a signal ends it; then every host is stopped. */
export async function serveApp(args: Arguments, open: boolean): Promise<number> {
  const port = wholeNumber(args, "port", 0) ?? 0;
  if (port > 65_535) throw new UsageError("--port is a number up to 65535");
  const { workspace, ...options } = hostOptions(args, { shell: "browser", canAsk: true });
  const workspaces = new Workspaces(options);
  const ended = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    onHangUp(resolve);
  });
  try {
    const host = await workspaces.open(workspace);
    const served = await serve({
      port,
      workspace,
      workspaces,
      renderer: path.join(options.built, "../renderer"),
      env: process.env,
    });
    process.stdout.write(`${JSON.stringify({ url: served.url, pid: served.pid })}\n`);
    printSummary(host);
    if (open && !(await openExternally(served.url, process.env)))
      printError("No browser could be opened here: open the address yourself. Ctrl+C ends Nacre.");
    await ended;
    await served.close();
    return exitCodes.done;
  } finally {
    await workspaces.stop();
  }
}
export const serveCommand: Command = {
  usage,
  flags: ["port", "no-open"],
  run(args) {
    atMost(args, 0, usage);
    return serveApp(args, !args.has("no-open"));
  },
};
