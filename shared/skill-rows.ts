import type { SkillRow } from "./extension-rows.ts";
import type { WorkspaceEvent } from "./workspace.ts";

/** The list with a part of it as it is now. */
export const withSkillRows = (
  skills: readonly SkillRow[],
  { at, rows, total }: Extract<WorkspaceEvent, { type: "skills" }>,
): readonly SkillRow[] => [...skills.slice(0, at), ...rows, ...skills.slice(at + rows.length, total)];
