import path from "node:path";
import { contributionId } from "../../../shared/contribution.ts";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { SkillFields, SkillHead } from "./head.ts";
import { judgeSkill, type ReadySkill } from "./judge.ts";
import type { SkillEntry } from "./resolve.ts";
import { skillFileName, type FoundSkill } from "./scan.ts";
import type { SkillCandidate, SkillDefinition, SkillNeeds, SkillSummary } from "./types.ts";

const none: readonly Diagnostic[] = [];

/**
 * One skill file of this machine, whether it loads or not. A class, so that a candidate's locator can be told from
 * a foreign one; made once a scan, as a thousand of them are on the way of every start.
 */
export class LocalSkill {
  readonly found: FoundSkill;
  /** Null: it does not load; the diagnostics say why. */
  readonly skill: ReadySkill | null;
  readonly entry: SkillEntry;

  /** @param before How many of the same name and root stand before it: each has a switch of its own. */
  constructor(found: FoundSkill, head: SkillHead, strict: boolean, before: (id: string) => number) {
    const { root, placeName } = found;
    const { skill, findings } = judgeSkill(head, {
      placeName,
      inferred: root.inferred,
      strict: strict || root.strict,
    });
    const own = skill?.name ?? placeName;
    const needs = skill ? needsOf(skill.fields) : undefined;
    const id = contributionId("skill", root.owner, own);
    const further = before(id);
    this.found = found;
    this.skill = skill;
    this.entry = {
      id: further === 0 ? id : `${id}~${further}`,
      name: root.plugin === undefined ? own : `${root.plugin}:${own}`,
      description: skill?.description ?? "",
      source: root.source,
      scope: root.scope,
      path: found.path,
      // A plugin's counts by its plugin's approval; what is neither its nor the workspace's is the user's own.
      trusted: root.scope === "workspace" && !found.ofUser ? "workspace" : root.approved,
      valid: skill !== null,
      approved: root.approved,
      enabled: root.enabled,
      hiddenFromModel: skill?.fields.hiddenFromModel ?? false,
      userInvocable: skill !== null && !skill.fields.modelOnly,
      diagnostics:
        findings.length === 0 ? none : findings.map((finding) => ({ ...finding, path: found.path })),
      rank: root.rank,
      size: found.stamp.size,
      changedAt: found.stamp.mtimeMs,
      ...(needs ? { needs } : {}),
    };
  }
}

/** Undefined where it needs nothing, which most do not. */
export function needsOf({
  arguments: given,
  tools,
  allowedTools,
  model,
  keywords,
}: SkillFields): SkillNeeds | undefined {
  if (given === undefined && !tools && !allowedTools && model === undefined && !keywords) return undefined;
  return {
    ...(given === undefined ? {} : { arguments: given }),
    ...(tools ? { tools } : {}),
    ...(allowedTools ? { allowedTools } : {}),
    ...(model === undefined ? {} : { model }),
    ...(keywords ? { keywords } : {}),
  };
}

type Writable<T> = { -readonly [P in keyof T]: T[P] };

/** The optional parts are set one by one: this runs a thousand times before the first request. */
function shared(
  { entry, found, skill }: LocalSkill,
  provider: string,
): Writable<SkillSummary & Pick<SkillDefinition, "path" | "metadata" | "needs">> {
  const { name, description, source, path: file } = entry;
  const resourceBase = { kind: "directory", path: found.folder } as const;
  const made: ReturnType<typeof shared> = { name, description, source, provider, resourceBase, path: file };
  if (skill?.fields.whenToUse !== undefined) made.whenToUse = skill.fields.whenToUse;
  if (skill?.fields.metadata) made.metadata = skill.fields.metadata;
  if (entry.hiddenFromModel) made.disableModelInvocation = true;
  if (skill?.fields.modelOnly) made.modelOnly = true;
  if (entry.needs) made.needs = entry.needs;
  return made;
}
export const candidateOf = (local: LocalSkill, provider: string): SkillCandidate =>
  Object.assign(shared(local, provider), { rank: local.found.root.rank, locator: local });
export const definitionOf = (local: LocalSkill, content: string, provider: string): SkillDefinition =>
  Object.assign(shared(local, provider), { content });

/** The folder whose files belong to a skill; undefined for a flat file, which has none of its own (spec 3). */
export function ownFolder(skill: SkillDefinition): string | undefined {
  if (skill.resourceBase?.kind !== "directory") return undefined;
  const flat = skill.path !== undefined && path.basename(skill.path) !== skillFileName;
  return flat ? undefined : skill.resourceBase.path;
}
