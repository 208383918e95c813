import type { SkillInvocation, SkillSuggestion } from "../../../shared/skills.ts";
import type { CommandRow } from "../../../shared/workspace.ts";
import type { Rule } from "../config/permission.ts";
import { findSkill, namesForPeople } from "./find-skill.ts";
import type { MentionedSkills, SkillUse, SkillUseOptions, SkillUsePorts, UsedSkill } from "./invocation.ts";
import type { SkillAsking } from "./invocation-needs.ts";
import type { ResolvedSkill } from "./resolve.ts";

/** Where what a person's use of a skill asks of the host comes from. */
export interface SkillUseSource {
  /** The rules that hold for what a person loads here, those of the conversation's role last. */
  rules(): readonly Rule[];
  /** Is called with the first use. */
  ports(): Promise<SkillUsePorts>;
}
type Options = Omit<SkillUseOptions, "ports"> & { readonly source: SkillUseSource };

/** What is known of skills for people at once; all that is done with them is loaded when one is first used. */
export class SkillsByHand {
  readonly #options: Options;
  #use: Promise<SkillUse> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }
  /** The command of a skill, whether it may be used or not; undefined where the name means none. */
  row(name: string): CommandRow | undefined {
    const found = findSkill(this.#resolved(), name);
    return found && { name, description: "entry" in found ? found.entry.description : "", hint: "[text]" };
  }
  /** Whether a name means one in a conversation, also one that may not be used. */
  isSkill(name: string, sessionId: string): boolean {
    return findSkill(this.#options.resolve(this.#options.source.rules(), sessionId), name) !== undefined;
  }
  /** What a person may load by name, outside any conversation. */
  names(): readonly string[] {
    return namesForPeople(this.#resolved());
  }
  /** How to write what stands behind a skill's name. */
  async usage(name: string): Promise<string> {
    return (await this.#loaded()).usage(name);
  }
  /** @see SkillUse.use */
  async use(name: string, typed: string, asking: SkillAsking): Promise<UsedSkill> {
    return (await this.#loaded()).use(name, typed, asking);
  }
  /** @see SkillUse.mentions */
  async mentions(
    text: string,
    asking: SkillAsking,
    wasGiven: (text: string) => boolean,
  ): Promise<MentionedSkills> {
    // Asked of every message.
    if (!text.includes("@")) return { texts: [], notes: [], unused: [] };
    return (await this.#loaded()).mentions(text, asking, wasGiven);
  }
  /** @see SkillUse.invocation */
  async invocation(name: string, sessionId: string | null): Promise<SkillInvocation> {
    return (await this.#loaded()).invocation(name, sessionId);
  }
  /** @see SkillUse.suggest */
  async suggest(text: string, sessionId: string | null): Promise<readonly SkillSuggestion[]> {
    return (await this.#loaded()).suggest(text, sessionId);
  }

  #resolved(): readonly ResolvedSkill[] {
    return this.#options.resolve(this.#options.source.rules());
  }
  #loaded(): Promise<SkillUse> {
    const { source, ...rest } = this.#options;
    return (this.#use ??= Promise.all([import("./invocation.ts"), source.ports()]).then(
      ([{ SkillUse }, ports]) => new SkillUse({ ...rest, ports }),
    ));
  }
}
