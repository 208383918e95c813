import path from "node:path";
import { contributionId } from "../../../shared/contribution.ts";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { SkillFields, SkillHead } from "./head.ts";
import { isPlain } from "./head-form.ts";
import { judgeSkill, type ReadySkill } from "./judge.ts";
import type { SkillEntry } from "./resolve.ts";
import { skillFileName, type FoundSkill } from "./found-skill.ts";
import type { SkillCandidate, SkillDefinition, SkillNeeds, SkillResourceBase } from "./types.ts";

const none: readonly Diagnostic[] = [];
const plainFields: SkillFields = { kind: "fields", lines: [0, 0, 0, 0], findings: [] };

/**
 * One skill file of this machine, whether it loads or not: what the lists show and what the registry is handed, in one
 * object that holds no more than it has to, as thousands of them are on the way of every start. Never changed once it is numbered.
 */
export class LocalSkill implements SkillEntry, SkillCandidate {
  readonly found: FoundSkill;
  readonly diagnostics: readonly Diagnostic[];
  readonly #name: string;
  readonly #description: string;
  /** Null: it does not load. Undefined: it says its name and what it is for, and no more, as nearly all do. */
  readonly #fields: SkillFields | null | undefined;
  #before = 0;

  constructor(found: FoundSkill, head: SkillHead, strict: boolean) {
    const { root, placeName } = found;
    const { skill, findings } = judgeSkill(head, {
      placeName,
      inferred: root.inferred,
      strict: strict || root.strict,
      scope: root.scope,
    });
    this.found = found;
    // Most are named as their place is: one text then serves both.
    this.#name = skill && skill.name !== placeName ? skill.name : placeName;
    this.#description = skill?.description ?? "";
    this.#fields = skill && (isPlain(skill.fields) ? undefined : skill.fields);
    this.diagnostics =
      findings.length === 0 ? none : findings.map((finding) => ({ ...finding, path: found.path }));
  }
  /** Said before anybody has it: how many of the same name and root stand before it. Each has a switch of its own. */
  numbered(before: number): void {
    this.#before = before;
  }
  /** Without its plugin's. */
  get ownName(): string {
    return this.#name;
  }
  /** Null: it does not load; the diagnostics say why. */
  get skill(): ReadySkill | null {
    if (this.#fields === null) return null;
    const name = this.#name;
    const description = this.#description;
    return { name, description, fields: this.#fields ?? { ...plainFields, name, description } };
  }
  get id(): string {
    const id = contributionId("skill", this.found.root.owner, this.#name);
    return this.#before === 0 ? id : `${id}~${this.#before}`;
  }
  get name(): string {
    const { plugin } = this.found.root;
    return plugin === undefined ? this.#name : `${plugin}:${this.#name}`;
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
    return this.#description;
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
    return this.#fields !== null;
  }
  get approved(): boolean {
    return this.found.root.approved;
  }
  get enabled(): boolean {
    return this.found.root.enabled;
  }
  get hiddenFromModel(): boolean {
    return this.#fields?.hiddenFromModel ?? false;
  }
  get disableModelInvocation(): boolean {
    return this.hiddenFromModel;
  }
  get userInvocable(): boolean {
    return this.valid && !this.modelOnly;
  }
  get modelOnly(): boolean {
    return this.#fields?.modelOnly ?? false;
  }
  get size(): number {
    return this.found.stamp.size;
  }
  get changedAt(): number {
    return this.found.stamp.mtimeMs;
  }
  get whenToUse(): string | undefined {
    return this.#fields?.whenToUse;
  }
  get metadata(): Readonly<Record<string, unknown>> | undefined {
    return this.#fields?.metadata;
  }
  get needs(): SkillNeeds | undefined {
    return this.#fields?.needs;
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
