import path from "node:path";
import { NacreError } from "../../shared/errors.ts";
import type { Foundation } from "./foundation.ts";
import { isInside, lookAt, realPath } from "./kit/files.ts";

/**
 * Folders as settings keep them: absolute, `~` resolved, each once. One that is new has to be there, to be a folder and
 * to lie outside the workspace; one that was kept before may have gone since.
 * @throws NacreError `invalid_input` that names the folder
 */
export function checkedRoots(
  { config, paths, workspace }: Pick<Foundation, "config" | "paths" | "workspace">,
  roots: readonly string[],
): string[] {
  const known = new Set(config.current.settings.policy.writableRoots);
  return [...new Set(roots.map((given) => checked(given, paths.home, workspace, known)))];
}

function checked(given: string, home: string, workspace: string, known: ReadonlySet<string>): string {
  if (known.has(given)) return given;
  const text = given.trim();
  const folder = /^~(?=$|[/\\])/.test(text) ? path.join(home, text.slice(1)) : path.normalize(text);
  const wrong = (message: string): NacreError => new NacreError("invalid_input", message);
  if (!path.isAbsolute(folder))
    throw wrong(`${text || "an empty text"} is no whole path: begin with ${path.parse(workspace).root} or ~`);
  const found = lookAt(realPath(folder));
  if (!found) throw wrong(`there is no folder ${folder}: make it first, or give another path`);
  if (!found.isDirectory()) throw wrong(`${folder} is a file: give the folder that holds it`);
  if (isInside(workspace, realPath(folder)))
    throw wrong(`${folder} lies in the workspace, where writing is allowed already`);
  return folder.length > 1 ? folder.replace(/[/\\]+$/, "") || folder : folder;
}
