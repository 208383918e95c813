import path from "node:path";
import { NacreError } from "../../shared/errors.ts";
import { isObject, type JsonObject } from "../../shared/json.ts";
import { settingsFolder } from "./config/settings.ts";
import type { Foundation } from "./foundation.ts";
import { isInside, lookAt, realPath } from "./kit/files.ts";
import { fromHome } from "./kit/home-path.ts";

type Place = Pick<Foundation, "paths" | "workspace">;
/** One folder that comes, one that goes; as settings keep them. */
export interface RootChange {
  readonly addRoot?: string | undefined;
  readonly removeRoot?: string | undefined;
}

/**
 * A new writable folder as settings keep it: absolute, `~` resolved. It has to be there, to be a folder and to lie
 * outside the workspace.
 * @throws NacreError `invalid_input` that names the folder
 */
export function checkedRoot({ paths, workspace }: Place, given: string): string {
  const text = given.trim();
  const folder = path.normalize(fromHome(text, paths.home));
  const wrong = (message: string): NacreError => new NacreError("invalid_input", message);
  if (text === "" || !path.isAbsolute(folder))
    throw wrong(`${text || "an empty text"} is no whole path: begin with ${path.parse(workspace).root} or ~`);
  const found = lookAt(realPath(folder));
  if (!found) throw wrong(`there is no folder ${folder}: make it first, or give another path`);
  if (!found.isDirectory()) throw wrong(`${folder} is a file: give the folder that holds it`);
  if (isInside(workspace, realPath(folder)))
    throw wrong(`${folder} lies in the workspace, where writing is allowed already`);
  return path.resolve(folder);
}

/**
 * The edit of the list as `current` has it: whatever else was added or removed meanwhile stays so. The other folders
 * keep their spelling; a list that does not count, for something in it is no text, begins anew.
 */
export function rootEdit(
  current: JsonObject,
  { addRoot, removeRoot }: RootChange,
  { paths, workspace }: Place,
): { path: string[]; value: readonly string[] }[] {
  if (addRoot === undefined && removeRoot === undefined) return [];
  const policy = isObject(current["policy"]) ? current["policy"] : {};
  const isCamel = !Object.hasOwn(policy, "writable_roots") && Object.hasOwn(policy, "writableRoots");
  const name = isCamel ? "writableRoots" : "writable_roots";
  const written = policy[name];
  const isList = Array.isArray(written) && written.every((one): one is string => typeof one === "string");
  const list = isList ? written : [];
  const folderOf = (text: string): string => settingsFolder(text, workspace, paths.home);
  const kept = list.filter((one) => removeRoot === undefined || folderOf(one) !== folderOf(removeRoot));
  const isNew = addRoot !== undefined && !kept.some((one) => folderOf(one) === folderOf(addRoot));
  return [{ path: ["policy", name], value: isNew ? [...kept, addRoot] : kept }];
}
