import { NacreError } from "../../../shared/errors.ts";
import type { Rule } from "../config/permission.ts";
import type { SkillCollection } from "./collection.ts";
import { skillContent } from "./content.ts";
import type { SkillFiles } from "./files.ts";
import { findSkill } from "./find-skill.ts";
import { ownFolder } from "./local-skill.ts";
import { brokenSkill, goneSkill } from "./refusal.ts";
import type { ResourceList } from "./resources.ts";
import type { ResolvedSkill, SkillEntry } from "./resolve.ts";
import type { SkillDefinition } from "./types.ts";

export interface SkillReaderOptions {
  readonly collection: SkillCollection;
  readonly files: SkillFiles;
  /** Real path. */
  readonly workspace: string;
  readonly rules: () => readonly Rule[];
  readonly listsFiles: () => boolean;
}

/** Loads skills, each by its own provider, for models and people alike; whether it may be loaded is asked elsewhere. */
export class SkillReader {
  readonly #options: SkillReaderOptions;

  constructor(options: SkillReaderOptions) {
    this.#options = options;
  }
  /** @throws NacreError `not_found`, `invalid_input` for a name that several plugins have */
  find(name: string, source?: string): ResolvedSkill {
    const { collection, rules } = this.#options;
    const all = collection
      .resolve(rules())
      .filter(({ entry }) => source === undefined || entry.source === source);
    const found = findSkill(all, name);
    const where = source === undefined ? "" : ` in ${source}`;
    if (!found) throw new NacreError("not_found", `there is no skill ${name}${where}`);
    if ("ambiguous" in found)
      throw new NacreError(
        "invalid_input",
        `${name} is ambiguous: name one of ${found.ambiguous.join(", ")}`,
      );
    return found;
  }
  /**
   * The text as it is now; a shadowed or switched-off skill can be looked at too.
   * @throws NacreError `configuration` where its file is no skill, `not_found` where it is gone
   */
  async load(entry: SkillEntry, signal?: AbortSignal): Promise<SkillDefinition> {
    const { collection, workspace: cwd } = this.#options;
    const { candidate, sessionId } = entry;
    if (!candidate) throw new NacreError("configuration", brokenSkill(entry));
    const skill = await collection.registry.load(candidate, { cwd, sessionId, signal });
    if (!skill) throw new NacreError("not_found", goneSkill(entry.name));
    return skill;
  }
  /** What a loaded skill is for the model, with the names of its files where they are listed. */
  async content(skill: SkillDefinition): Promise<string> {
    const folder = this.#options.listsFiles() ? ownFolder(skill) : undefined;
    return skillContent(skill, folder === undefined ? undefined : await this.resources(folder));
  }
  /** Names of the files of a skill's folder. */
  resources(folder: string): Promise<ResourceList> {
    return this.#options.files.resources(folder);
  }
  /** One file of a loaded skill. @throws NacreError `not_found`, `denied`, `invalid_input` */
  async file(skill: SkillDefinition, file: string, signal?: AbortSignal): Promise<string> {
    const folder = ownFolder(skill);
    if (folder !== undefined) return this.#options.files.resource(folder, file);
    const { collection, workspace: cwd } = this.#options;
    const text = await collection.registry.file(skill, file, { cwd, signal });
    if (text === undefined) throw new NacreError("not_found", noFiles(skill));
    return text;
  }
}

function noFiles({ name, resourceBase: base }: SkillDefinition): string {
  switch (base?.kind) {
    case "url":
      return `the files of ${name} are not on this machine; they are relative to ${base.url}`;
    case "opaque":
      return `the files of ${name} are not on this machine; they are in ${base.description}`;
    case "directory":
      return `the skill ${name} is a single file and has no files of its own`;
    case undefined:
      return `the skill ${name} has no files`;
  }
}
