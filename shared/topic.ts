import type { MarketEvent, MarketView } from "./market.ts";
import type { SessionEvent, SessionView } from "./session.ts";
import type { TraceRow } from "./trace.ts";
import type { AppEvent, AppView, WorkspaceEvent, WorkspaceView } from "./workspace.ts";

/** Snapshot, then events, per topic (architecture, idea 4). */
export interface TopicTypes {
  app: { snapshot: AppView; event: AppEvent };
  workspace: { snapshot: WorkspaceView; event: WorkspaceEvent };
  market: { snapshot: MarketView; event: MarketEvent };
  [session: `session:${string}`]: { snapshot: SessionView; event: SessionEvent };
  [trace: `trace:${string}`]: { snapshot: { rows: readonly TraceRow[] }; event: { row: TraceRow } };
}
export type TopicName = keyof TopicTypes;

/** Where a subscriber stands. `epoch` is new at each start of the host; `seq` grows by one with each event of a topic. */
export interface Position {
  readonly epoch: string;
  readonly seq: number;
}
/** The answer to `subscribe`: what was missed, or everything. */
export type Subscribed<T extends TopicName = TopicName> =
  | (Position & { readonly snapshot: TopicTypes[T]["snapshot"] })
  | (Position & { readonly events: readonly TopicTypes[T]["event"][] });

/** What the host sends to a window. A `snapshot` replaces all that came before. */
export type ToWindow =
  | { readonly id: number; readonly result: import("./errors.ts").Result<unknown> }
  | (Position & { readonly topic: string; readonly event: unknown })
  | (Position & { readonly topic: string; readonly snapshot: unknown });
/** What a window sends to the host. `subscribe` and `unsubscribe` are methods of the contract. */
export interface ToHost {
  readonly id: number;
  readonly method: string;
  readonly input: unknown;
}
