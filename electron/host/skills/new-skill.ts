import { NacreError } from "../../../shared/errors.ts";
import { correctedSkillName, isSkillName } from "../../../shared/names.ts";

/** @throws NacreError `invalid_input` for a name that is none, with the nearest that is one */
export function assertSkillName(name: string): void {
  if (isSkillName(name) && name.length <= 64) return;
  const shown = name.slice(0, 100);
  const corrected = correctedSkillName(shown);
  throw new NacreError(
    "invalid_input",
    `"${shown}" is no skill name: lower-case letters, digits and single hyphens, at most 64${corrected === "" ? "" : `; ${corrected} would be one`}`,
  );
}
/** A skill to begin with. */
export const newSkillText = (name: string): string =>
  `---\nname: ${name}\ndescription: Say in one sentence what this skill does and when to use it.\n---\n\n# ${name}\n\nWrite here, step by step, what is to be done.\n`;
