import { defineStore } from "pinia";
import { computed, shallowRef } from "vue";
import type { SessionRow } from "../../shared/session.ts";
import type { AppView, SettingsView, WorkspaceView } from "../../shared/workspace.ts";
import type { Input } from "../../shared/contract/index.ts";
import { useRpc } from "../rpc.ts";
import { reduceWorkspace } from "./reduce.ts";
import { useRoute } from "./route.ts";

type SettingsChange = Input<"settings.set">;

/** True for a chat that came to rest while another place was shown. */
const cameToRest = (before: SessionRow | undefined, after: SessionRow): boolean =>
  before !== undefined && before.state !== "idle" && after.state === "idle";

/** What the host says of the workspace and of the app; every room reads it here. `view` is null until it has spoken. */
export const useWorkspace = defineStore("workspace", () => {
  const rpc = useRpc();
  const route = useRoute();
  const view = shallowRef<WorkspaceView | null>(null);
  const app = shallowRef<AppView | null>(null);
  const unread = shallowRef<ReadonlySet<string>>(new Set());

  /** Changes that the host has not answered. */
  const asked = shallowRef<readonly SettingsChange[]>([]);
  /** Tells the host. Until it has answered, what is shown stays the host's. */
  const set = async (change: SettingsChange): Promise<void> => {
    asked.value = [...asked.value, change];
    try {
      await rpc.call("settings.set", change);
    } finally {
      asked.value = asked.value.filter((other) => other !== change);
    }
  };
  /** What a person chose here and has still to allow, for it would let more happen than now. */
  const unanswered = computed((): readonly SettingsChange[] => {
    const approvals = view.value?.approvals ?? [];
    const asks = approvals.some(({ because }) => because.some(({ code }) => code === "widen_policy"));
    return asks ? asked.value : [];
  });
  const waiting = computed((): SettingsChange => Object.assign({}, ...unanswered.value));
  /** Folders that were added and have still to be allowed, each its own change. */
  const waitingRoots = computed((): readonly string[] =>
    unanswered.value.flatMap(({ addRoot }) => (addRoot === undefined ? [] : [addRoot])),
  );

  const seen = (id: string): void => {
    if (unread.value.has(id)) unread.value = new Set([...unread.value].filter((other) => other !== id));
  };

  /** Listens to both topics; answers how to stop. */
  const start = (): (() => void) => {
    const stops = [
      rpc.subscribe("workspace", {
        snapshot: (snapshot) => void (view.value = snapshot),
        event(event) {
          if (!view.value) return;
          if (event.type === "session") {
            const { row } = event;
            const before = view.value.sessions.find(({ id }) => id === row.id);
            if (cameToRest(before, row) && !(route.value.room === "chat" && route.value.id === row.id))
              unread.value = new Set([...unread.value, row.id]);
          }
          view.value = reduceWorkspace(view.value, event);
        },
      }),
      rpc.subscribe("app", {
        snapshot: (snapshot) => void (app.value = snapshot),
        event: (event) => void (app.value = event.app),
      }),
    ];
    return () => stops.forEach((stop) => stop());
  };

  /** One slice, or `empty` before the first snapshot. Its identity changes with the slice alone. */
  const slice = <K extends keyof WorkspaceView>(key: K, empty: WorkspaceView[K]) =>
    computed(() => view.value?.[key] ?? empty);

  return {
    view,
    app,
    unread,
    workspace: slice("workspace", { path: "", name: "" }),
    trust: slice("trust", { trusted: true, waiting: [] }),
    summary: slice("summary", { skills: 0, plugins: 0, pluginTools: 0, mcpServers: 0 }),
    skills: slice("skills", []),
    plugins: slice("plugins", []),
    agents: slice("agents", []),
    mcp: slice("mcp", []),
    sessions: slice("sessions", []),
    approvals: slice("approvals", []),
    questions: slice("questions", []),
    mcpRequests: slice("mcpRequests", []),
    background: slice("background", []),
    diagnostics: slice("diagnostics", []),
    models: slice("models", []),
    commands: slice("commands", []),
    settings: computed<SettingsView | null>(() => view.value?.settings ?? null),
    seen,
    start,
    set,
    waiting,
    waitingRoots,
  };
});
