import { NacreError } from "../../../shared/errors.ts";
import type { SkillDetail } from "../../../shared/contract/extensions.ts";
import type { Rule } from "../config/permission.ts";
import type { SkillCollection } from "./collection.ts";
import { skillContent } from "./content.ts";
import type { SkillFiles } from "./files.ts";
import { findSkill } from "./find-skill.ts";
import { ownFolder } from "./local-skill.ts";
import { goneSkill, refusalOf } from "./refusal.ts";
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
/** Who asks: the conversation, whose own skills count first. */
export interface ReaderLookup {
  /** Absent: no conversation, and nothing that one holds. */
  readonly sessionId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
/** A skill that a person runs. */
export interface SkillForPerson {
  readonly entry: SkillEntry;
  readonly skill: SkillDefinition;
}

/** Finds and loads skills for people: by name as the rules allow, by id whatever its state. */
export class SkillReader {
  readonly #options: SkillReaderOptions;

  constructor(options: SkillReaderOptions) {
    this.#options = options;
  }
  /** @throws NacreError `not_found`, `invalid_input` for a name that several plugins have */
  find(name: string, source?: string, sessionId?: string): ResolvedSkill {
    const all = this.#resolved(sessionId).filter(
      ({ entry }) => source === undefined || entry.source === source,
    );
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
  /** Of any conversation too. */
  findById(id: string): ResolvedSkill | undefined {
    return this.#resolved().find(({ entry }) => entry.id === id);
  }
  /**
   * The skill that a person means, where it may be run by name.
   * @throws NacreError `not_found`, `denied` with the reason
   */
  async forPerson(name: string, { sessionId, signal }: ReaderLookup = {}): Promise<SkillForPerson> {
    const found = findSkill(this.#resolved(sessionId ?? ""), name);
    const refusal = refusalOf(found, name, "person");
    if (refusal !== undefined || !found || "ambiguous" in found)
      throw new NacreError(found ? "denied" : "not_found", refusal ?? name);
    return { entry: found.entry, skill: await this.load(found.entry, signal) };
  }
  /**
   * The text as it is now; a shadowed or switched-off skill can be looked at too.
   * @throws NacreError `configuration` where its file is no skill, `not_found` where it is gone
   */
  async load(entry: SkillEntry, signal?: AbortSignal): Promise<SkillDefinition> {
    const error = entry.diagnostics.find(({ severity }) => severity === "error");
    if (!entry.valid)
      throw new NacreError(
        "configuration",
        `the skill ${entry.name} cannot be loaded: ${error?.message ?? "its file is broken"} (${entry.path === "" ? entry.id : entry.path})`,
      );
    const skill = await this.#definition(entry, signal);
    if (!skill) throw new NacreError("not_found", goneSkill(entry.name));
    return skill;
  }
  /** What a loaded skill is for the model, with the names of its files where they are listed. */
  async content(skill: SkillDefinition): Promise<string> {
    const folder = this.#options.listsFiles() ? ownFolder(skill) : undefined;
    return skillContent(
      skill,
      folder === undefined ? undefined : await this.#options.files.resources(folder),
    );
  }
  /** `nacre skills show` (cli.md). @throws NacreError `not_found`, `configuration` */
  async show(name: string): Promise<SkillDetail> {
    const { entry } = this.find(name);
    const skill = await this.load(entry);
    const folder = ownFolder(skill);
    return {
      name: entry.name,
      description: entry.description,
      content: skill.content,
      path: entry.path,
      metadata: skill.metadata ?? {},
      resources: folder === undefined ? [] : (await this.#options.files.resources(folder)).files,
    };
  }
  /** One file of a skill's folder. @throws NacreError */
  async readFile(name: string, file: string): Promise<string> {
    const folder = ownFolder(await this.load(this.find(name).entry));
    if (folder === undefined) throw new NacreError("not_found", `the skill ${name} has no files of its own`);
    return this.#options.files.resource(folder, file);
  }

  #resolved(sessionId?: string): readonly ResolvedSkill[] {
    return this.#options.collection.resolve(this.#options.rules(), sessionId);
  }
  async #definition(entry: SkillEntry, signal?: AbortSignal): Promise<SkillDefinition | undefined> {
    const { local, sessions, registry } = this.#options.collection;
    if (entry.sessionId !== undefined) return sessions.find(entry.id)?.definition();
    const file = local.latest().skills.find((skill) => skill.entry === entry);
    if (file) return local.load(file, signal);
    return registry.get(entry.name, {
      cwd: this.#options.workspace,
      ...(signal === undefined ? {} : { signal }),
    });
  }
}
