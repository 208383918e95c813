import { loadFrontmatter } from "../kit/frontmatter.ts";
import type { SkillHead } from "./head.ts";

/** The text of a skill, read. */
export interface ParsedSkill {
  readonly head: SkillHead;
  /** What stands below the front matter; for a NUL byte, which no model takes, stands U+FFFD. */
  readonly body: string;
}
/** @param mayInfer Whether the first line of a file without front matter may be its description. */
export type ParseSkill = (text: string, mayInfer: boolean) => ParsedSkill;

/** The reader of skills; all of it is loaded with the first call: a start that knows every file pays nothing for it. */
export async function loadSkillParser(): Promise<ParseSkill> {
  const [read, { neededBySkills, readHead, structuredBySkills }] = await Promise.all([
    loadFrontmatter(),
    import("./head.ts"),
  ]);
  return (text, mayInfer) => {
    const front = read(text, neededBySkills, structuredBySkills);
    return { head: readHead(front, mayInfer, text), body: front.body.replaceAll("\0", "\uFFFD") };
  };
}
