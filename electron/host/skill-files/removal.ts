import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { linkTargetOrNone, lookAt } from "../kit/files.ts";
import { keptAsItIs, type SkillOnDisk } from "./known-skill.ts";

export interface Removal {
  /** The skill's folder, its flat file, or the link that stands for either. */
  readonly path: string;
  /** Where a link leads: what lies there stays. */
  readonly linkTo?: string;
}

/**
 * What goes to the trash when a skill is removed. Never what a link leads to, never a folder of skills.
 * @throws NacreError `denied` for what belongs to somebody else, `not_found` where it is gone
 */
export function removalOf(skill: SkillOnDisk): Removal {
  const kept = keptAsItIs(skill);
  if (kept !== undefined) throw new NacreError("denied", kept);
  const { form, folder, path: file, root } = skill.found;
  const at = form === "flat" ? file : folder;
  if (path.dirname(path.resolve(at)) !== path.resolve(root.path))
    throw new NacreError("denied", `${at} is a folder of skills itself and is not removed here`);
  if (!lookAt(at)) throw new NacreError("not_found", `it is gone already: ${at}`);
  const target = linkTargetOrNone(at);
  return target === undefined ? { path: at } : { path: at, linkTo: path.resolve(path.dirname(at), target) };
}
