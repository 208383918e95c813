/** More on one message would be no mark any more. */
const most = 5;

/** Blanks stand around a mention; behind it a sentence may close. */
const mention = /(?<=^|\s)@([\w:-]+)(?=[.,;:!?)\]}"'…。，；：！？、）」』]{0,8}(?:\s|$))/gu;

/**
 * The skills that a message was sent with, in its order: the one that it begins with (`/NAME …`, `/skill NAME …`) and
 * those that it mentions (`@NAME`). Names that are no skill, or a command's, are words like any other.
 */
export function usedSkills(
  text: string,
  skills: ReadonlySet<string>,
  commands: ReadonlySet<string>,
): readonly string[] {
  const found = new Set<string>();
  const [, first = "", second = ""] = /^\/(\S+)(?:\s+(\S+))?/.exec(text) ?? [];
  if (first === "skill" && commands.has("skill")) {
    if (skills.has(second)) found.add(second);
  } else if (skills.has(first) && !commands.has(first)) found.add(first);
  for (const [, name = ""] of text.matchAll(mention)) {
    if (found.size === most) break;
    if (skills.has(name)) found.add(name);
  }
  return [...found];
}
