import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import type { AppPaths } from "../config/types.ts";
import { withFileLock } from "../config/file-lock.ts";
import { isInside, lookAt, realPath, systemCode, writeAtomic } from "../kit/files.ts";
import { assertSkillName } from "../skills/new-skill.ts";
import { skillFileName } from "../skills/found-skill.ts";
import type { KeptPlaces } from "./kept-places.ts";
import { assertSkillText } from "./write-text.ts";

export interface NewSkillFile {
  readonly name: string;
  readonly text: string;
  readonly scope: "user" | "workspace";
}
/** Real path of the workspace, and the app's own folders. */
export interface SkillHomes {
  readonly workspace: string;
  readonly paths: Pick<AppPaths, "config" | "data">;
  readonly isKept: KeptPlaces;
}

/**
 * Makes a skill's folder with its file and gives the file's path (spec 2: `<ws>/.agent/skills`, `<config>/skills`).
 * @throws NacreError `invalid_input` for a name or text that is none, `already_exists`, `denied` where the
 * folder of skills is a link out of the workspace or the configuration, or into what is kept as it is, `io`
 */
export async function writeSkillFile(
  { name, text, scope }: NewSkillFile,
  { workspace, paths, isKept }: SkillHomes,
): Promise<string> {
  assertSkillName(name);
  assertSkillText(text);
  const top = scope === "user" ? paths.config : workspace;
  const root = path.join(scope === "user" ? top : path.join(top, ".agent"), "skills");
  const real = realPath(root);
  // What is made for this folder must not land in another system's, nor where a workspace that came so leads it.
  if (!isInside(realPath(top), real))
    throw new NacreError(
      "denied",
      `nothing was written: ${root} is a link that leaves ${scope === "user" ? top : "the workspace"}, to ${real}; put a folder in its place, or make the skill there by hand`,
    );
  const kept = isKept(real);
  if (kept !== undefined) throw new NacreError("denied", `nothing was written: ${kept}`);
  const folder = path.join(root, name);
  const file = path.join(folder, skillFileName);
  await withFileLock(path.join(paths.data, "locks"), path.join(real, name), async () => {
    if (lookAt(folder))
      throw new NacreError(
        "already_exists",
        `there is something at ${folder} already: choose another name, or change what stands there`,
      );
    const missing = firstMissing(folder);
    try {
      await writeAtomic(file, text);
    } catch (error) {
      await removeEmpty(folder, missing);
      throw error;
    }
  });
  return file;
}
/** The outermost folder on the way that is not there yet; `folder` itself is none. */
function firstMissing(folder: string): string {
  const above = path.dirname(folder);
  return above === folder || lookAt(above) ? folder : firstMissing(above);
}
/** Takes away what was made for it, from `folder` up to `first`; what is not empty stays. */
async function removeEmpty(folder: string, first: string): Promise<void> {
  for (let at = folder; at.length >= first.length; at = path.dirname(at))
    try {
      await fs.promises.rmdir(at);
    } catch (error) {
      if (systemCode(error) === "ENOENT") continue;
      // Somebody put something into it, or it cannot be removed, as little as it could be written to.
      if (systemCode(error) === undefined) throw error;
      return;
    }
}
