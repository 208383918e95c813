import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { isFolder, isInside, linkTargetOrNone, lookAt, realPath } from "../kit/files.ts";
import type { SkillRoot } from "../skills/roots.ts";
import type { KeptPlaces } from "./kept-places.ts";
import { keptAsItIs, type SkillOnDisk } from "./known-skill.ts";
import { mayWrite } from "./may-write.ts";

export interface Removal {
  /** The skill's folder, its flat file, or the link that stands for either. */
  readonly path: string;
  /** Where a link leads: what lies there stays. */
  readonly linkTo?: string;
}
/** What a removal never takes along. */
export interface Surroundings {
  /** Real path. */
  readonly workspace: string;
  readonly roots: readonly Pick<SkillRoot, "path" | "source">[];
  readonly isKept: KeptPlaces;
}

interface Entry {
  /** The skill's folder or its flat file, as the root names it. */
  readonly at: string;
  /** Links on the way resolved, its own not: a link goes alone, and takes along what is reached through it. */
  readonly real: string;
}
const entryOf = ({ form, folder, path: file }: SkillOnDisk["found"]): Entry => {
  const at = form === "flat" ? file : folder;
  return { at, real: path.join(realPath(path.dirname(at)), path.basename(at)) };
};
/** Whether it may be removed here as far as owners and the system's permissions go; `removalOf` says what it holds. */
export function isRemovable({ found }: SkillOnDisk, isKept: KeptPlaces): boolean {
  const { at, real } = entryOf(found);
  return isKept(real) === undefined && mayWrite(path.dirname(at));
}
/**
 * What goes to the trash when a skill is removed. Never what a link leads to, never a folder of skills, never a folder
 * that holds the workspace or another root of skills.
 * @throws NacreError `denied` for what belongs to somebody else or holds more than the skill, `not_found` where it is gone
 */
export function removalOf(skill: SkillOnDisk, { workspace, roots, isKept }: Surroundings): Removal {
  const { root } = skill.found;
  const { at, real } = entryOf(skill.found);
  const kept = keptAsItIs(skill) ?? isKept(real);
  if (kept !== undefined) throw new NacreError("denied", kept);
  if (path.dirname(path.resolve(at)) !== path.resolve(root.path))
    throw new NacreError("denied", `${at} is a folder of skills itself and is not removed here`);
  if (!lookAt(at)) throw new NacreError("not_found", `it is gone already: ${at}`);
  if (isInside(real, workspace))
    throw new NacreError(
      "denied",
      `${at} was not removed: the workspace ${workspace} lies in it; open another folder first`,
    );
  const held = roots.find(
    (other) =>
      isFolder(other.path) &&
      (isInside(real, realPath(other.path)) || isInside(path.resolve(at), path.resolve(other.path))),
  );
  if (held)
    throw new NacreError(
      "denied",
      `${at} was not removed: ${held.path}, a folder of skills itself (${held.source}), lies in it; move that away first`,
    );
  const target = linkTargetOrNone(at);
  return target === undefined ? { path: at } : { path: at, linkTo: path.resolve(path.dirname(at), target) };
}
