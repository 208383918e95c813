import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import type { AppPaths } from "../config/types.ts";
import { withFileLock } from "../config/file-lock.ts";
import { isInside, lookAt, realPath, systemCode, writeAtomic } from "../kit/files.ts";
import { assertSkillName } from "../skills/new-skill.ts";
import { skillFileName } from "../skills/found-skill.ts";
import type { SkillRoot } from "../skills/roots.ts";
import type { KeptPlaces } from "./kept-places.ts";
import { assertSkillText } from "./write-text.ts";

export interface NewSkillFile {
  readonly name: string;
  readonly text: string;
  readonly scope: "user" | "workspace";
}
/** Real path of the workspace, the app's own folders, and every folder of skills, also what is switched off. */
export interface SkillHomes {
  readonly workspace: string;
  readonly paths: Pick<AppPaths, "config" | "data">;
  readonly isKept: KeptPlaces;
  readonly roots: () => readonly Pick<SkillRoot, "path" | "source">[];
}

/**
 * Makes a skill's folder with its file and gives the file's path (spec 2: `<ws>/.agent/skills`, `<config>/skills`).
 * @throws NacreError `invalid_input` for a name or text that is none, `already_exists`, `denied` where the
 * folder of skills is a link out of the workspace, the user's one into another folder of skills, or one into what is kept
 * as it is, `io`
 */
export async function writeSkillFile(
  { name, text, scope }: NewSkillFile,
  homes: SkillHomes,
): Promise<string> {
  assertSkillName(name);
  assertSkillText(text);
  const { workspace, paths } = homes;
  const root = path.join(scope === "user" ? paths.config : path.join(workspace, ".agent"), "skills");
  const real = realPath(root);
  const refusal = homes.isKept(real) ?? strayLink(root, real, scope, homes);
  if (refusal !== undefined) throw new NacreError("denied", `nothing was written: ${refusal}`);
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
/** Where a folder of skills is a link that nothing is made through: why not. */
function strayLink(
  root: string,
  real: string,
  scope: NewSkillFile["scope"],
  { workspace, roots }: SkillHomes,
): string | undefined {
  const instead = "put a folder in its place, or make the skill there by hand";
  // A workspace may come with the link; a person's own may lie wherever they keep such files.
  if (scope === "workspace")
    return isInside(realPath(workspace), real)
      ? undefined
      : `${root} is a link that leaves the workspace, to ${real}; ${instead}`;
  // Another system's folder would take in what was made for this one.
  const other = roots().find((one) => one.source !== "user-nacre" && isInside(realPath(one.path), real));
  return other && `${root} is a link into ${other.source}, to ${real}; ${instead}`;
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
