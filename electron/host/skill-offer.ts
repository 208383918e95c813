import type { SkillOffer } from "./skills/offer.ts";
import type { Tool } from "./tools/types.ts";

/** What a model gets of skills, each part where the settings place it. */
interface OfferedSkills {
  readonly tools: readonly Tool[];
  /** For the system prompt; empty where the catalog stands elsewhere. */
  readonly system: string;
  readonly reminder: string | null;
}
/**
 * Puts the caller's own `skill` tool in the place of the general one. Where the caller has no such tool, or no skill is
 * offered to it, there is neither tool nor catalog (spec 3, What the model sees).
 */
export function withSkills(
  tools: readonly Tool[],
  offer: SkillOffer,
  placement: "reminder" | "system" | "tool",
): OfferedSkills {
  const isSkill = ({ name }: Tool): boolean => name === "skill";
  const own = tools.some(isSkill) ? offer.tool : undefined;
  const { text } = offer.catalog;
  return {
    tools: tools.flatMap((tool) => (isSkill(tool) ? (own ?? []) : tool)),
    system: own && placement === "system" ? text : "",
    reminder: own && placement === "reminder" ? text : null,
  };
}
