import { NacreError } from "../../../shared/errors.ts";
import type { SkillsLook } from "../skills/look.ts";
import type { ResolvedSkill } from "../skills/resolve.ts";
import type { FoundSkill } from "../skills/found-skill.ts";

/** One skill of the list, with its place where it is a file. */
export interface KnownSkill extends ResolvedSkill {
  readonly found?: FoundSkill;
}
/** One skill that is a file, with its place. */
export type SkillFile = SkillsLook["files"][number];
/** The same, with what became of it in the list. */
export type SkillOnDisk = KnownSkill & { readonly found: FoundSkill };

/** @throws NacreError `not_found`: an id means a skill of the list, never a path */
export function knownSkill({ resolved, files }: SkillsLook, id: string): KnownSkill {
  const skill = resolved.find(({ entry }) => entry.id === id);
  if (!skill)
    throw new NacreError("not_found", `there is no skill ${shown(id)}: look at the list of skills again`);
  const file = files.find(({ entry }) => entry.id === id);
  return file ? { ...skill, found: file.found } : skill;
}
/** @throws NacreError `not_found`, `invalid_input` for a skill that is no file */
export function skillOnDisk(look: SkillsLook, id: string): SkillOnDisk {
  const skill = knownSkill(look, id);
  const { found } = skill;
  if (!found)
    throw new NacreError("invalid_input", `the skill ${skill.entry.name} is no file on this machine`);
  return { ...skill, found };
}
/** An id from a window may be of any length. */
const shown = (id: string): string => (id.length > 200 ? `${id.slice(0, 200)}…` : id);

/** Why a skill's file is not changed here; undefined where it may be. */
export function keptAsItIs({ entry }: Pick<KnownSkill, "entry">): string | undefined {
  if (entry.scope === "plugin")
    return `the skill ${entry.name} belongs to a plugin, whose files count as they were approved: copy it to a skill of your own`;
  if (entry.source === "user-cst-agent")
    return `the skill ${entry.name} is Hermit's, whose files are read here and never written (${entry.path}): copy it to a skill of your own`;
  if (entry.scope === "bundled")
    return `the skill ${entry.name} comes with the app: make one of the same name to replace it`;
  return undefined;
}
