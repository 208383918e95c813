import type { ResolvedSkill, SkillEntry } from "./resolve.ts";
import type { SkillRoot } from "./roots.ts";
import type { FoundSkill } from "./found-skill.ts";
import type { RootScan } from "./scan.ts";

/** Everything that the room knows of its skills at one moment. */
export interface SkillsLook {
  /** Best first. */
  readonly resolved: readonly ResolvedSkill[];
  /** Those that are files, with the place of each. */
  readonly files: readonly { readonly entry: SkillEntry; readonly found: FoundSkill }[];
  /** Where they may lie, best rank first; also what is switched off, which nobody looked into. */
  readonly roots: readonly SkillRoot[];
  readonly scans: readonly RootScan[];
}
