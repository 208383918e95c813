import { parseCommand, skillLineOf } from "../../shared/command-line.ts";
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
  const line = skillLineOf(text, commands);
  const mentioned = mentionedNames(parseCommand(text)?.args ?? text);
  return [...new Set([...(line ? [line.name] : []), ...mentioned])].filter((name) => skills.has(name));
}
