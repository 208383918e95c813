import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import type { SkillRepair } from "../../../shared/skills.ts";
import { isFolder, sha256 } from "../kit/files.ts";
import { loadSkillRepair } from "../skills/repair-text.ts";
import { skillFileName } from "../skills/found-skill.ts";
import type { SkillText } from "./skill-text.ts";
import type { SkillPlace } from "./write-text.ts";

/**
 * What repairing a file's front matter would do; bound to what it is now and what it would become.
 * @param placeName Of its folder, or of a flat file without its ending.
 * @throws NacreError `invalid_input` where nothing can be repaired without a doubt about what was meant
 */
export async function repairOf(
  now: SkillText & { readonly text: string },
  file: string,
  placeName: string,
): Promise<SkillRepair> {
  const made = (await loadSkillRepair())(now.text, { placeName });
  if (!made)
    throw new NacreError(
      "invalid_input",
      `${file}: nothing of its front matter can be repaired without a doubt about what was meant; edit it by hand`,
    );
  const { after, changes } = made;
  return { path: file, before: now.text, after, changes, digest: sha256(`${now.digest}\0${sha256(after)}`) };
}

/** The file of a skill that a person names by it or by its folder. */
export function namedPlace(at: string): SkillPlace {
  const file = isFolder(at) ? path.join(at, skillFileName) : path.resolve(at);
  const form = path.basename(file) === skillFileName ? "directory" : "flat";
  return { path: file, folder: path.dirname(file), form };
}
