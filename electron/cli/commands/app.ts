import type { Arguments } from "../arguments.ts";
import { printError } from "../output.ts";
import { serveApp } from "./serve.ts";

/** `nacre` alone: the browser shell of this package; the desktop window is the packaged app or `npm start`. */
export function openApp(args: Arguments): Promise<number> {
  printError("Opening in the browser: the command line ships without Electron.");
  return serveApp(args, true);
}
