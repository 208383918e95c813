import type { McpAppRef } from "../../../shared/mcp-app.ts";
import type { Decision } from "../../../shared/policy.ts";
import type { StopReason, Usage } from "../../../shared/session.ts";

/** Text in a line; what exceeds 64 KB stands in `blobs/<sha256>` and the line holds its first 4 KB. */
export interface RecordedText {
  readonly text: string;
  readonly blob?: { readonly sha256: string; readonly bytes: number };
}
/** What main.jsonl and sub-N.jsonl hold, beside the head every line has (architecture, Records). */
export type LineBody =
  | { readonly type: "session"; readonly workspace: string; readonly version: string }
  | { readonly type: "user"; readonly text: string }
  /** A part holds what came since the part before it; the final line holds the whole and replaces them. */
  | {
      readonly type: "assistant" | "assistant_part";
      readonly text: string;
      readonly reasoning: string;
      /** Ties parts to the final line that replaces them. */
      readonly message: string;
    }
  | {
      readonly type: "tool_call";
      readonly callId: string;
      readonly name: string;
      readonly title: string;
      readonly origin: string;
      readonly input: unknown;
      /** The app that shows the call. */
      readonly app?: McpAppRef;
    }
  | {
      readonly type: "tool_result";
      readonly callId: string;
      readonly output: RecordedText;
      readonly isError: boolean;
      readonly durationMs: number;
      readonly decision: Decision;
      readonly sandboxed: boolean | null;
      readonly exitCode?: number;
      readonly diff?: string;
      /** The whole result as JSON, for the app that shows the call. */
      readonly forApp?: RecordedText;
    }
  /** `audience: model` is a lasting reminder for the model; `user` is a notice for the window. */
  | {
      readonly type: "system";
      readonly audience: "model" | "user";
      readonly level: "info" | "warning" | "error";
      readonly text: string;
    }
  /** Names in the message above with which it was not sent to a model. */
  | { readonly type: "unused_skills"; readonly names: readonly string[] }
  | { readonly type: "compaction"; readonly summary: string; readonly upTo: string }
  | { readonly type: "head"; readonly leaf: string }
  | {
      readonly type: "turn_end";
      readonly stopReason: StopReason;
      readonly usage: Usage;
      readonly steps: number;
      readonly error?: string;
    };
/** `parent` makes branches of one tree; null for the first line. Ids ascend; `t` is ms since the epoch. */
export type RecordLine = {
  readonly v: 1;
  readonly id: string;
  readonly parent: string | null;
  readonly t: number;
} & LineBody;
