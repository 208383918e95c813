import type { Contribution } from "../../shared/contribution.ts";
import type { SkillRow, ToolRow } from "../../shared/extension-rows.ts";
import type { McpServerRow } from "../../shared/mcp.ts";

/** Where more is known of a contribution than its name. */
export interface KnownParts {
  readonly skills: readonly SkillRow[];
  readonly tools: readonly ToolRow[];
  readonly mcp: readonly McpServerRow[];
}
export interface ContributionText {
  readonly text: string;
  /** The class of a tool; empty for everything else. */
  readonly perm: string;
}

/** What a contribution of a plugin does, as far as its registry says: empty where it is not loaded. */
export function contributionText(
  { id, kind, name, origin }: Contribution,
  known: KnownParts,
): ContributionText {
  if (kind === "skill")
    return { text: known.skills.find((row) => row.id === id)?.description ?? "", perm: "" };
  if (kind === "mcp")
    return { text: known.mcp.find((row) => row.id === id)?.command.join(" ") ?? "", perm: "" };
  if (kind !== "tool") return { text: "", perm: "" };
  const tool = known.tools.find((row) => row.name === name && row.origin === origin);
  return { text: tool?.description ?? "", perm: tool?.perm ?? "" };
}
