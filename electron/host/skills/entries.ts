import { contributionId } from "../../../shared/contribution.ts";
import { LocalSkill } from "./local-skill.ts";
import type { SkillEntry } from "./resolve.ts";
import { SessionSkill } from "./session-skill.ts";
import type { SkillCandidate } from "./types.ts";

/** One candidate of any provider, as the lists show it. */
export function entryOf(candidate: SkillCandidate): SkillEntry {
  const { locator } = candidate;
  if (locator instanceof LocalSkill || locator instanceof SessionSkill) return locator.entry;
  return {
    id: contributionId("skill", candidate.source, candidate.name),
    name: candidate.name,
    description: candidate.description,
    source: candidate.source,
    scope: candidate.source,
    path: candidate.path ?? "",
    trusted: true,
    valid: true,
    approved: true,
    enabled: true,
    hiddenFromModel: candidate.disableModelInvocation ?? false,
    userInvocable: !candidate.modelOnly,
    diagnostics: [],
    rank: candidate.rank,
    candidate,
    ...(candidate.needs === undefined ? {} : { needs: candidate.needs }),
  };
}
