import { NacreError } from "../../../shared/errors.ts";
import type { SkillExplanation, SkillVerdict } from "../../../shared/skills.ts";
import type { SkillsLook } from "../skills/look.ts";
import { mayBeRepaired } from "../skills/repair-text.ts";
import type { ResourceList } from "../skills/resources.ts";

interface FilePorts {
  readonly resources: (folder: string) => Promise<ResourceList>;
  /** Of a skill by its id. @throws NacreError where its file is gone */
  readonly isRepairable: (id: string) => Promise<boolean>;
}

/** Adds what is told by the files of the explained skills alone: links that lead astray, and what can be repaired. */
export async function withFiles(
  explained: SkillExplanation,
  { files }: Pick<SkillsLook, "files">,
  { resources, isRepairable }: FilePorts,
): Promise<SkillExplanation> {
  const ids = new Set(explained.verdicts.map(({ row }) => row.id));
  const folders = files.flatMap(({ entry, found }) =>
    ids.has(entry.id) && found.form === "directory" ? found.folder : [],
  );
  const listed = await Promise.all(folders.map(resources));
  const verdicts = await Promise.all(explained.verdicts.map((verdict) => withRepair(verdict, isRepairable)));
  return {
    ...explained,
    verdicts,
    diagnostics: [...explained.diagnostics, ...listed.flatMap(({ problems }) => problems)],
  };
}
async function withRepair(
  verdict: SkillVerdict,
  isRepairable: FilePorts["isRepairable"],
): Promise<SkillVerdict> {
  const { id, diagnostics } = verdict.row;
  if (!mayBeRepaired(diagnostics)) return verdict;
  try {
    return (await isRepairable(id)) ? { ...verdict, repairable: true } : verdict;
  } catch (error) {
    // Gone since it was listed, which the next list says; there is nothing to repair.
    if (error instanceof NacreError) return verdict;
    throw error;
  }
}
