import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { correctedSkillName, isSkillName } from "../../../shared/names.ts";
import type { AppPaths } from "../config/types.ts";
import { lookAt, writeAtomic } from "../kit/files.ts";
import { skillFileName } from "./scan.ts";

export interface NewSkill {
  readonly name: string;
  readonly scope: "user" | "workspace";
  /** Real path. */
  readonly workspace: string;
  readonly paths: AppPaths;
}

/** @throws NacreError `invalid_input` for a name that is none, with the nearest that is one */
export function assertSkillName(name: string): void {
  if (isSkillName(name) && name.length <= 64) return;
  const corrected = correctedSkillName(name);
  throw new NacreError(
    "invalid_input",
    `"${name}" is no skill name: lower-case letters, digits and single hyphens, at most 64${corrected === "" ? "" : `; ${corrected} would be one`}`,
  );
}
/** A skill to begin with. */
export const newSkillText = (name: string): string =>
  `---\nname: ${name}\ndescription: Say in one sentence what this skill does and when to use it.\n---\n\n# ${name}\n\nWrite here, step by step, what is to be done.\n`;

/**
 * Writes a skill to begin with and gives the path of its file (`nacre skills new`, cli.md).
 * @throws NacreError `invalid_input` for a name that is none, `already_exists`
 */
export async function writeNewSkill({ name, scope, workspace, paths }: NewSkill): Promise<string> {
  assertSkillName(name);
  const root = scope === "user" ? paths.config : path.join(workspace, ".agent");
  const folder = path.join(root, "skills", name);
  if (lookAt(folder)) throw new NacreError("already_exists", `there is something at ${folder} already`);
  const file = path.join(folder, skillFileName);
  await writeAtomic(file, newSkillText(name));
  return file;
}
