import { assertNever } from "../../shared/errors.ts";
import { withSkillRows } from "../../shared/skill-rows.ts";
import type { WorkspaceEvent, WorkspaceView } from "../../shared/workspace.ts";

/** The list with the row of that key replaced in place, or added at the end. */
const withRow = <T>(rows: readonly T[], row: T, same: (other: T) => boolean): readonly T[] => {
  const at = rows.findIndex(same);
  return at === -1 ? [...rows, row] : rows.with(at, row);
};

/** What the host said, applied to what it said before. */
export function reduceWorkspace(view: WorkspaceView, event: WorkspaceEvent): WorkspaceView {
  switch (event.type) {
    case "slice":
      return { ...view, ...event.slice };
    case "mcp":
      return { ...view, mcp: withRow(view.mcp, event.row, ({ id }) => id === event.row.id) };
    case "session":
      return { ...view, sessions: withRow(view.sessions, event.row, ({ id }) => id === event.row.id) };
    case "skills":
      return { ...view, skills: withSkillRows(view.skills, event) };
    default:
      return assertNever(event);
  }
}
