import { mentionedNames } from "../../shared/skill-mentions.ts";

/**
 * The skills that a message was sent with, in its order: the one that it begins with (`/NAME …`, `/skill NAME …`) and
 * those that it mentions (`@NAME`). Names that are no skill, or a command's, are words like any other.
 */
export function usedSkills(
  text: string,
  skills: ReadonlySet<string>,
  commands: ReadonlySet<string>,
): readonly string[] {
  const found: string[] = [];
  const [, first = "", second = ""] = /^\/(\S+)(?:\s+(\S+))?/.exec(text) ?? [];
  if (first === "skill" && commands.has("skill")) found.push(second);
  else if (!commands.has(first)) found.push(first);
  return [...new Set([...found, ...mentionedNames(text)])].filter((name) => skills.has(name));
}
