import { NacreError } from "../../shared/errors.ts";
import { untilAborted } from "../host/kit/abort.ts";
import { openExternally } from "../serve/open-externally.ts";
import type { Arguments } from "./arguments.ts";
import { withHost } from "./open-host.ts";
import { exitCodes, printError, printJson, printText } from "./output.ts";

/**
 * `nacre mcp login SERVER`: starts the one server and, where it wants that, lets the person sign in at a browser. The address is
 * printed, too: the browser may be that of another desktop on this machine. What is kept serves every later start.
 */
export const logIn = (args: Arguments, name: string): Promise<number> =>
  withHost(
    args,
    async (host, signal) => {
      await untilAborted(host.mcp.startServer(name), signal);
      const row = host.mcp.rows().find((one) => one.name === name);
      if (row?.state !== "ready")
        throw new NacreError("needs_setup", row?.error ?? `"${name}" did not become ready`);
      const unkept = host.mcp.logs(name).filter((line) => line.includes("the sign-in lasts until"));
      for (const line of unkept) printError(line);
      if (args.has("json")) await printJson({ name, state: row.state, tools: row.toolCount });
      else await printText(`${name} is ready: ${row.toolCount} tools`);
      return exitCodes.done;
    },
    {
      async showSignIn(page, server) {
        printError(`"${server}" wants you to sign in. Open this page:\n${page.href}`);
        await openExternally(page.href, process.env);
      },
    },
  );

/** `nacre mcp logout SERVER`: forgets what was kept of it. */
export const logOut = (args: Arguments, name: string): Promise<number> =>
  withHost(args, async (host) => {
    await host.mcp.signOut(name);
    if (args.has("json")) await printJson({ name });
    else await printText(`signed out of ${name}`);
    return exitCodes.done;
  });
