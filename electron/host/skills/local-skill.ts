import path from "node:path";
import { contributionId } from "../../../shared/contribution.ts";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { SkillHead } from "./head.ts";
import { judgeSkill, type ReadySkill } from "./judge.ts";
import type { SkillEntry } from "./resolve.ts";
import { skillFileName, type FoundSkill } from "./found-skill.ts";
import type { SkillCandidate, SkillDefinition, SkillNeeds, SkillResourceBase } from "./types.ts";

const none: readonly Diagnostic[] = [];

/**
 * One skill file of this machine, whether it loads or not: what the lists show and what the registry is handed, in one
 * object that holds no more than it has to, as thousands of them are on the way of every start. Never changed.
 */
export class LocalSkill implements SkillEntry, SkillCandidate {
  readonly found: FoundSkill;
  /** Null: it does not load; the diagnostics say why. */
  readonly skill: ReadySkill | null;
  readonly diagnostics: readonly Diagnostic[];
  /** How many of the same name and root stand before it. */
  readonly #before: number;

  /** @param before How many of the same name and root stand before it: each has a switch of its own. */
  constructor(
    found: FoundSkill,
    head: SkillHead,
    strict: boolean,
    before: (owner: string, name: string) => number,
  ) {
    const { root, placeName } = found;
    const { skill, findings } = judgeSkill(head, {
      placeName,
      inferred: root.inferred,
      strict: strict || root.strict,
      scope: root.scope,
    });
    this.found = found;
    this.skill = skill;
    this.diagnostics =
      findings.length === 0 ? none : findings.map((finding) => ({ ...finding, path: found.path }));
    this.#before = before(root.owner, this.#ownName);
  }
  /** Without its plugin's. */
  get #ownName(): string {
    return this.skill?.name ?? this.found.placeName;
  }
  get id(): string {
    const id = contributionId("skill", this.found.root.owner, this.#ownName);
    return this.#before === 0 ? id : `${id}~${this.#before}`;
  }
  get name(): string {
    const { plugin } = this.found.root;
    return plugin === undefined ? this.#ownName : `${plugin}:${this.#ownName}`;
  }
  get entry(): SkillEntry {
    return this;
  }
  get candidate(): SkillCandidate | undefined {
    return this.valid ? this : undefined;
  }
  get provider(): "local" {
    return "local";
  }
  get locator(): LocalSkill {
    return this;
  }
  get description(): string {
    return this.skill?.description ?? "";
  }
  get source(): string {
    return this.found.root.source;
  }
  get scope(): string {
    return this.found.root.scope;
  }
  get rank(): number {
    return this.found.root.rank;
  }
  get path(): string {
    return this.found.path;
  }
  /** A plugin's counts by its plugin's approval; what is neither its nor the workspace's is the user's own. */
  get trusted(): boolean | "workspace" {
    const { root, ofUser } = this.found;
    return root.scope === "workspace" && !ofUser ? "workspace" : root.approved;
  }
  get valid(): boolean {
    return this.skill !== null;
  }
  get approved(): boolean {
    return this.found.root.approved;
  }
  get enabled(): boolean {
    return this.found.root.enabled;
  }
  get hiddenFromModel(): boolean {
    return this.skill?.fields.hiddenFromModel ?? false;
  }
  get disableModelInvocation(): boolean {
    return this.hiddenFromModel;
  }
  get userInvocable(): boolean {
    return this.skill !== null && !this.skill.fields.modelOnly;
  }
  get modelOnly(): boolean {
    return this.skill?.fields.modelOnly ?? false;
  }
  get size(): number {
    return this.found.stamp.size;
  }
  get changedAt(): number {
    return this.found.stamp.mtimeMs;
  }
  get whenToUse(): string | undefined {
    return this.skill?.fields.whenToUse;
  }
  get metadata(): Readonly<Record<string, unknown>> | undefined {
    return this.skill?.fields.metadata;
  }
  get needs(): SkillNeeds | undefined {
    return this.skill?.fields.needs;
  }
  get resourceBase(): SkillResourceBase {
    return { kind: "directory", path: this.found.folder };
  }
}

/** The folder whose files belong to a skill; undefined for a flat file, which has none of its own (spec 3). */
export function ownFolder(skill: SkillDefinition): string | undefined {
  if (skill.resourceBase?.kind !== "directory") return undefined;
  const flat = skill.path !== undefined && path.basename(skill.path) !== skillFileName;
  return flat ? undefined : skill.resourceBase.path;
}
