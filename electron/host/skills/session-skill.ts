import { isSkillName } from "../../../shared/names.ts";
import { judgeSkill, type ReadySkill } from "./judge.ts";
import type { ParsedSkill } from "./parse-skill.ts";
import type { SkillEntry } from "./resolve.ts";
import type { SkillCandidate, SkillDefinition } from "./types.ts";

/** Spec 3, Roots: before everything. */
const sessionRank = 0;

export interface SessionSkillDraft {
  readonly sessionId: string;
  /** What it was created as: its id says so for good, and it is called so where its text names nothing. */
  readonly createdAs: string;
  readonly id: string;
  /** The whole of it, as it would stand in a file. */
  readonly text: string;
  readonly enabled: boolean;
}

/**
 * One skill that a conversation holds in memory, read as a file is; never changed, a new one stands for each text. A
 * class, so that a candidate's locator can be told from a foreign one.
 */
export class SessionSkill {
  readonly draft: SessionSkillDraft;
  readonly entry: SkillEntry;
  /** Null: it does not load; the entry's diagnostics say why. */
  readonly skill: ReadySkill | null;
  /** Undefined where it does not load. */
  readonly candidate: SkillCandidate | undefined;
  readonly #parsed: ParsedSkill;
  readonly #strict: boolean;

  constructor(draft: SessionSkillDraft, parsed: ParsedSkill, strict: boolean) {
    const { id, sessionId, createdAs, text, enabled } = draft;
    const { head } = parsed;
    const own = head.kind === "fields" ? head.name : undefined;
    // It has no folder: what it calls itself is the name of its place.
    const placeName = own !== undefined && isSkillName(own) ? own : createdAs;
    const { skill, findings } = judgeSkill(head, { placeName, inferred: false, strict });
    const needs = skill?.fields.needs;
    this.draft = draft;
    this.skill = skill;
    this.#parsed = parsed;
    this.#strict = strict;
    const entry: SkillEntry = {
      id,
      name: skill?.name ?? createdAs,
      description: skill?.description ?? "",
      source: "session",
      scope: "session",
      path: "",
      trusted: true,
      valid: skill !== null,
      approved: true,
      enabled,
      hiddenFromModel: skill?.fields.hiddenFromModel ?? false,
      userInvocable: skill !== null && !skill.fields.modelOnly,
      diagnostics: findings,
      rank: sessionRank,
      size: Buffer.byteLength(text),
      ...(needs ? { needs } : {}),
      sessionId,
    };
    this.candidate = skill ? { ...sharedOf(entry, skill), rank: sessionRank, locator: this } : undefined;
    this.entry = { ...entry, candidate: this.candidate };
  }
  /** The same skill, on or off. */
  switched(enabled: boolean): SessionSkill {
    return new SessionSkill({ ...this.draft, enabled }, this.#parsed, this.#strict);
  }
  /** Undefined where it does not load. */
  definition(): SkillDefinition | undefined {
    const { skill, entry } = this;
    return skill ? { ...sharedOf(entry, skill), content: this.#parsed.body } : undefined;
  }
}

/** What candidate and definition have in common. */
function sharedOf(entry: SkillEntry, { fields }: ReadySkill): Omit<SkillDefinition, "content"> {
  const { whenToUse, modelOnly, metadata } = fields;
  return {
    name: entry.name,
    description: entry.description,
    source: entry.source,
    provider: "session",
    ...(whenToUse === undefined ? {} : { whenToUse }),
    ...(entry.hiddenFromModel ? { disableModelInvocation: true } : {}),
    ...(modelOnly ? { modelOnly } : {}),
    ...(metadata ? { metadata } : {}),
    ...(entry.needs ? { needs: entry.needs } : {}),
  };
}
