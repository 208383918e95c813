import { NacreError } from "../../../shared/errors.ts";
import type { SkillExplanation, SkillVerdict } from "../../../shared/skills.ts";
import type { SkillsLook } from "../skills/look.ts";
import type { ResourceList } from "../skills/resources.ts";
import type { SkillFile } from "./known-skill.ts";

interface FilePorts {
  readonly resources: (folder: string) => Promise<ResourceList>;
  /** @throws NacreError `not_found` where its file is gone, `io` */
  readonly isRepairable: (skill: SkillFile) => Promise<boolean>;
}

/** Adds what is told by the files of the explained skills alone: links that lead astray, and what can be repaired. @throws NacreError `io` */
export async function withFiles(
  explained: SkillExplanation,
  { files }: Pick<SkillsLook, "files">,
  { resources, isRepairable }: FilePorts,
): Promise<SkillExplanation> {
  const ids = new Set(explained.verdicts.map(({ row }) => row.id));
  const own = new Map(files.flatMap((file) => (ids.has(file.entry.id) ? [[file.entry.id, file]] : [])));
  const folders = [...own.values()].flatMap(({ found }) => (found.form === "directory" ? found.folder : []));
  const listed = await Promise.all(folders.map(resources));
  const verdicts = await Promise.all(
    explained.verdicts.map((verdict) => withRepair(verdict, own.get(verdict.row.id), isRepairable)),
  );
  return {
    ...explained,
    verdicts,
    diagnostics: [...explained.diagnostics, ...listed.flatMap(({ problems }) => problems)],
  };
}
async function withRepair(
  verdict: SkillVerdict,
  file: SkillFile | undefined,
  isRepairable: FilePorts["isRepairable"],
): Promise<SkillVerdict> {
  if (!file) return verdict;
  try {
    return (await isRepairable(file)) ? { ...verdict, repairable: true } : verdict;
  } catch (error) {
    // Gone since it was listed, which the next list says; there is nothing to repair.
    if (error instanceof NacreError && error.code === "not_found") return verdict;
    throw error;
  }
}
