import path from "node:path";
import { isInside, realPath } from "../../kit/files.ts";
import { absolutePath } from "../../policy/locate.ts";
import type { ToolRun } from "../types.ts";

/** The real path that the gate decided on for a path of the arguments. */
export const decidedPath = (run: Pick<ToolRun, "workspace" | "realPaths">, argument: string): string =>
  run.realPaths?.get(argument) ?? realPath(absolutePath(argument, run.workspace));

/** Relative to the workspace and with `/` where it lies in it, else as it is. */
export function shownPath(workspace: string, real: string): string {
  if (!isInside(workspace, real)) return real;
  return path.relative(workspace, real).replaceAll(path.sep, "/") || ".";
}
