import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { childEnvironment } from "../../host/kit/environment.ts";
import { handOver } from "../../host/kit/process.ts";
import { runVariable } from "../../host/kit/process-group.ts";
import type { Arguments } from "../arguments.ts";
import { workspaceOf } from "../open-host.ts";
import { printError } from "../output.ts";
import { serveApp } from "./serve.ts";

/** Electron's executable, where this is a checkout that has one. The look-up stays outside the build: it is `npm start`'s. */
async function electron(built: string): Promise<string | undefined> {
  const file = path.join(built, "../../scripts/electron-binary.mjs");
  if (!existsSync(file)) return undefined;
  const module = (await import(pathToFileURL(file).href)) as { electronBinary(): string | undefined };
  return module.electronBinary();
}

/** The window is Nacre itself: of our own variables it gets all but the one that marks a child. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).flatMap(([name, value]) =>
    name.startsWith("NACRE_") && name !== runVariable && value !== undefined ? [[name, value] as const] : [],
  );
  return childEnvironment(process.env, { extra: Object.fromEntries(ours) });
}

/** `nacre` alone: the desktop window, or the browser shell where no Electron binary can be had (cli.md). */
export async function openApp(args: Arguments): Promise<number> {
  const binary = await electron(args.built);
  if (binary === undefined) {
    printError("There is no Electron here: opening in the browser.");
    return serveApp(args, true);
  }
  const folder = workspaceOf(args);
  await handOver({ command: binary, args: [path.join(args.built, "../.."), folder], env: ownEnvironment() });
  return 0;
}
