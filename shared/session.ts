import type { McpAppRef } from "./mcp-app.ts";
import type { Decision } from "./policy.ts";

export type StopReason = "end" | "max_steps" | "stopped" | "timeout" | "error" | "hook";
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** `nacre sessions list` (cli.md). Times are ISO 8601. */
export interface SessionRow {
  readonly id: string;
  readonly title: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly turns: number;
  readonly state: "idle" | "running" | "waiting" | "failed";
}

/** One tool call, from its request to its end. `output` is cut for display; the record has the whole. */
export interface ToolCallView {
  readonly callId: string;
  readonly name: string;
  /** The name people see: `mcp.github.search`. */
  readonly title: string;
  readonly origin: string;
  readonly input: unknown;
  readonly state: "running" | "waiting" | "done" | "failed" | "denied";
  readonly output: string;
  readonly isError: boolean;
  readonly durationMs: number | null;
  readonly decision: Decision | null;
  readonly sandboxed: boolean | null;
  readonly exitCode?: number;
  /** Unified diff of an edit. */
  readonly diff?: string;
  /** The app that shows the call. */
  readonly app?: McpAppRef;
}

/** One thing in the conversation, as the window draws it. `id` is the record's; `t` is ms since the epoch. */
export type Entry =
  | {
      readonly type: "user";
      readonly id: string;
      readonly t: number;
      readonly text: string;
      /** Names in it that would mean skills, with which it was not sent: they were refused, or their command failed. */
      readonly unusedSkills?: readonly string[];
    }
  | {
      readonly type: "assistant";
      readonly id: string;
      readonly t: number;
      readonly text: string;
      readonly reasoning: string;
      readonly done: boolean;
    }
  | { readonly type: "tool"; readonly id: string; readonly t: number; readonly call: ToolCallView }
  | {
      readonly type: "notice";
      readonly id: string;
      readonly t: number;
      readonly level: "info" | "warning" | "error";
      readonly text: string;
    }
  | {
      readonly type: "turn_end";
      readonly id: string;
      readonly t: number;
      readonly stopReason: StopReason;
      readonly usage: Usage;
      readonly steps: number;
    };

/** The topic `session:<id>`: the last 50 entries; older ones by `chat.page`. */
export interface SessionView {
  readonly row: SessionRow;
  readonly entries: readonly Entry[];
  /** Id of the entry before the first one here, to page backwards; null at the start. */
  readonly before: string | null;
  readonly running: boolean;
  /** ms since the epoch; null when nothing runs. */
  readonly runningSince: number | null;
  readonly step: number;
  readonly queued: readonly string[];
}
/** `at` is the length before the text, so that a delta applied twice does nothing. */
export type SessionEvent =
  | { readonly type: "entry"; readonly entry: Entry }
  | {
      readonly type: "delta";
      readonly entryId: string;
      readonly field: "text" | "reasoning" | "output";
      readonly at: number;
      readonly text: string;
    }
  | { readonly type: "row"; readonly row: SessionRow }
  | {
      readonly type: "running";
      readonly running: boolean;
      readonly runningSince: number | null;
      readonly step: number;
      readonly queued: readonly string[];
    };
