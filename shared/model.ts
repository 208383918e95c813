import type { JsonSchema } from "./json-schema.ts";
import type { Usage } from "./session.ts";

/**
 * What the loop and a language model say to each other. Rooms do not import each other, so the nouns that `models`
 * serves and `chat` and `agents` use stand here.
 */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}
export interface ModelCall {
  /** Ties the call to its result; unique within a conversation. */
  readonly id: string;
  readonly name: string;
  /** Parsed JSON; the text as it came where it was no JSON object. */
  readonly input: unknown;
}
export type ModelMessage =
  | { readonly role: "user"; readonly text: string }
  | {
      readonly role: "assistant";
      readonly text: string;
      /** Sent back only within the turn that made it. */
      readonly reasoning?: string;
      readonly calls: readonly ModelCall[];
    }
  | {
      readonly role: "tool";
      readonly callId: string;
      readonly name: string;
      readonly output: string;
      readonly isError: boolean;
    };
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** Sorted by name and the same through a turn, so that provider caches hit. Empty: the model only writes. */
  readonly tools: readonly ModelTool[];
}
export type FinishReason = "stop" | "tool_calls" | "length" | "other";
export type ModelEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** `inputError` says why the arguments cannot be used; such a call is answered, never run. */
  | ({ readonly type: "tool_call"; readonly inputError?: string } & ModelCall)
  | { readonly type: "usage"; readonly usage: Usage }
  /** Before a try is repeated; nothing of the answer has come yet. `attempt` is the one that failed, from 1. */
  | { readonly type: "retry"; readonly attempt: number; readonly delayMs: number; readonly reason: string }
  /** For people: another model answers than the one that was asked for. */
  | { readonly type: "notice"; readonly text: string }
  | { readonly type: "finish"; readonly reason: FinishReason };

/** One language model. */
export interface ChatModel {
  /** `PROVIDER/MODEL` */
  readonly id: string;
  /**
   * One model call. Ends after `finish`. Leaving the loop early or aborting closes the connection.
   * @throws NacreError `model` or `network`, in plain words, with `ModelErrorData`; the signal's reason when aborted
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
/** Why a model call failed, for the next step that a window offers. */
export type ModelFailure =
  | "key"
  | "credit"
  | "unknown_model"
  | "rate_limit"
  | "context"
  | "no_tools"
  | "unreachable"
  | "broken"
  | "server"
  | "rejected";
/** `data` of a NacreError of a model call. */
export interface ModelErrorData {
  readonly failure: ModelFailure;
  /** HTTP status, where one came. */
  readonly status?: number;
  /** What the server asked to wait, ms. */
  readonly retryAfterMs?: number;
}
