import { contributionId } from "../../../shared/contribution.ts";
import { NacreError } from "../../../shared/errors.ts";
import { largestSkillBytes } from "../../../shared/skills.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import { assertSkillName, newSkillText } from "./new-skill.ts";
import { loadSkillParser, type ParseSkill } from "./parse-skill.ts";
import { SessionSkill, type SessionSkillDraft } from "./session-skill.ts";
import type { SkillCandidate, SkillDefinition, SkillLookupOptions, SkillProvider } from "./types.ts";

export interface SessionSkillsOptions {
  /** Whether what only warns elsewhere keeps a skill from loading (`skills.strict`). */
  readonly strict: () => boolean;
  /** False where the row `session` of the table is switched off: then nothing is listed. */
  readonly isOn: () => boolean;
}
interface Conversation {
  /** `owner` of its ids: `session`, the second conversation's `session~1`. */
  readonly owner: string;
  /** By id, in the order in which they were made. */
  readonly skills: Map<string, SessionSkill>;
}

/**
 * Skills that live in memory and in one conversation alone (spec 3, Roots, rank 0): made by a person, gone with the
 * conversation. Their switches are in memory too: a later skill of the same id has nothing to do with them.
 */
export class SessionSkills implements SkillProvider {
  readonly name = "session";
  readonly perSession = true;
  readonly #options: SessionSkillsOptions;
  readonly #conversations = new Map<string, Conversation>();
  readonly #changed = new Emitter<void>();
  #count = 0;

  constructor(options: SessionSkillsOptions) {
    this.#options = options;
  }
  get onChange(): Listenable<void> {
    return this.#changed;
  }

  /** Of every conversation, with those that do not load. */
  all(): readonly SessionSkill[] {
    return [...this.#conversations.keys()].flatMap((sessionId) => this.of(sessionId));
  }
  of(sessionId: string): readonly SessionSkill[] {
    if (!this.#options.isOn()) return [];
    return [...(this.#conversations.get(sessionId)?.skills.values() ?? [])];
  }
  find(id: string): SessionSkill | undefined {
    return this.all().find(({ entry }) => entry.id === id);
  }
  /**
   * A skill to begin with; gives its id.
   * @throws NacreError `invalid_input` for a name that is none, `already_exists` where the conversation has it
   */
  async create(sessionId: string, name: string): Promise<string> {
    assertSkillName(name);
    const parse = await loadSkillParser();
    const taken = this.of(sessionId).some(({ draft, entry }) => [draft.createdAs, entry.name].includes(name));
    if (taken) throw new NacreError("already_exists", `this conversation has a skill ${name} already`);
    const { owner } = this.#conversationOf(sessionId);
    const id = contributionId("skill", owner, name);
    this.#put({ sessionId, createdAs: name, id, text: newSkillText(name), enabled: true }, parse);
    return id;
  }
  /** Its whole text, with front matter as in a file. @throws NacreError `not_found`, `invalid_input` */
  async write(id: string, text: string): Promise<void> {
    if (Buffer.byteLength(text) > largestSkillBytes)
      throw new NacreError(
        "invalid_input",
        `the text is too long: at most ${largestSkillBytes} bytes are kept`,
      );
    const parse = await loadSkillParser();
    this.#put({ ...this.#get(id).draft, text }, parse);
  }
  /** @throws NacreError `not_found` */
  remove(id: string): void {
    const { sessionId } = this.#get(id).draft;
    this.#conversations.get(sessionId)?.skills.delete(id);
    this.#changed.emit();
  }
  /** False where it is no skill of a conversation. */
  setEnabled(id: string, enabled: boolean): boolean {
    const skill = this.find(id);
    if (!skill) return false;
    this.#conversations.get(skill.draft.sessionId)?.skills.set(id, skill.switched(enabled));
    this.#changed.emit();
    return true;
  }
  /** The conversation is over, and with it what it held. */
  end(sessionId: string): void {
    const conversation = this.#conversations.get(sessionId);
    this.#conversations.delete(sessionId);
    if (conversation && conversation.skills.size > 0) this.#changed.emit();
  }

  readonly list = async ({ sessionId }: SkillLookupOptions): Promise<readonly SkillCandidate[]> =>
    sessionId === undefined ? [] : this.of(sessionId).flatMap((skill) => skill.candidate ?? []);
  readonly get = async ({ locator }: SkillCandidate): Promise<SkillDefinition | undefined> => {
    if (!(locator instanceof SessionSkill)) return undefined;
    // Its text may be another one since it was listed; then what is written now is what counts.
    const now = this.find(locator.entry.id);
    return now?.entry.name === locator.entry.name ? now.definition() : undefined;
  };

  #get(id: string): SessionSkill {
    const skill = this.find(id);
    if (skill) return skill;
    throw new NacreError("not_found", `the skill ${id} is gone: it was held in memory, by a conversation`);
  }
  #conversationOf(sessionId: string): Conversation {
    const known = this.#conversations.get(sessionId);
    if (known) return known;
    const owner = this.#count === 0 ? "session" : `session~${this.#count}`;
    this.#count++;
    const conversation: Conversation = { owner, skills: new Map() };
    this.#conversations.set(sessionId, conversation);
    return conversation;
  }
  #put(draft: SessionSkillDraft, parse: ParseSkill): void {
    const skill = new SessionSkill(draft, parse(draft.text, true), this.#options.strict());
    this.#conversationOf(draft.sessionId).skills.set(draft.id, skill);
    this.#changed.emit();
  }
}
