import path from "node:path";
import { toErrorValue } from "../../shared/errors.ts";
import { summaryLine, type ExtensionCounts } from "../../shared/summary.ts";
import type { WorkspaceSlice, WorkspaceView } from "../../shared/workspace.ts";
import type { Foundation } from "./foundation.ts";
import type { Rooms } from "./rooms.ts";
import { settingsView } from "./settings-view.ts";
import { ToldSkills } from "./told-skills.ts";
import type { Topics } from "./topics.ts";

/** What is told of one turn of the event loop together: many changes in a row are one event. */
export interface WorkspaceTopic {
  /** Says that slices have changed. They are read when the event is made. */
  changed(...slices: WorkspaceSlice[]): void;
  view(): WorkspaceView;
  /** `2 skills · 1 plugin (3 tools) · 1 MCP server` */
  summary(): string;
}

/** The topic `workspace`: what every part of the window lists. A slice that nobody named is not made anew. */
export function workspaceTopic(foundation: Foundation, rooms: Rooms, topics: Topics): WorkspaceTopic {
  const { workspace, trust, broker, diagnostics, commands, log } = foundation;
  const counts = (): ExtensionCounts => {
    const plugins = rooms.plugins.rows().filter(({ state }) => state === "on");
    return {
      skills: rooms.skills
        .look()
        .resolved.filter(({ state, entry }) => state === "on" && entry.scope !== "bundled").length,
      plugins: plugins.length,
      pluginTools: plugins
        .flatMap(({ contributions }) => contributions)
        .filter(({ kind, enabled }) => kind === "tool" && enabled).length,
      mcpServers: rooms.mcp
        .rows()
        .filter(({ state }) => !["disabled", "untrusted", "needs_approval"].includes(state)).length,
    };
  };
  const told = new ToldSkills({
    log,
    count: () => rooms.skills.look().resolved.length,
    rows: (from, until) => rooms.skills.rowsBetween(from, until),
    publish: (event) => topics.publish("workspace", event),
  });
  const readers: { readonly [S in WorkspaceSlice]: () => WorkspaceView[S] } = {
    workspace: () => ({ path: workspace, name: path.basename(workspace) || workspace }),
    trust: () => {
      const worktreeOf = trust.worktreeOf();
      return {
        trusted: trust.isTrusted(),
        waiting: rooms.waiting().map(({ row }) => row),
        ...(worktreeOf === undefined ? {} : { worktreeOf }),
      };
    },
    summary: counts,
    skills: () => told.snapshot(),
    plugins: () => rooms.plugins.rows(),
    agents: () => rooms.roles.rows(),
    mcp: () => [...rooms.mcp.rows(), ...rooms.mcp.shadowedRows()],
    sessions: () => rooms.chats.list(),
    approvals: () => broker.pending(),
    questions: () => foundation.questions.open(),
    mcpRequests: () => foundation.mcpRequests.open(),
    background: () => foundation.background.rows(),
    diagnostics: () => diagnostics.all(),
    settings: () => settingsView(foundation, rooms),
    models: () => rooms.modelRows(),
    commands: () => commands.rows(),
  };
  const read = (slices: Iterable<WorkspaceSlice>): Partial<WorkspaceView> =>
    Object.fromEntries([...slices].map((slice) => [slice, readers[slice]()]));
  const view = (): WorkspaceView => read(Object.keys(readers) as WorkspaceSlice[]) as WorkspaceView;
  const pending = new Set<WorkspaceSlice>();
  let scheduled: NodeJS.Immediate | undefined;
  foundation.disposables.add(() => {
    clearImmediate(scheduled);
    told.stop();
  });
  topics.define("workspace", view);
  return {
    changed(...slices) {
      for (const slice of slices) pending.add(slice);
      scheduled ??= setImmediate(() => {
        scheduled = undefined;
        const skillsChanged = pending.delete("skills");
        const names = [...pending];
        pending.clear();
        // Before anybody has looked there is nothing to tell, and the lists need not be made.
        if (!topics.wasHeard("workspace")) return;
        try {
          if (skillsChanged) told.changed();
          if (names.length > 0) topics.publish("workspace", { type: "slice", slice: read(names) });
        } catch (error) {
          log.error("the window could not be told of a change", {
            error: toErrorValue(error).message,
            names,
          });
        }
      });
    },
    view,
    summary: () => summaryLine(counts()),
  };
}
