import type { ErrorValue } from "../../../shared/errors.ts";
import type { McpAppRef } from "../../../shared/mcp-app.ts";
import type { ChatModel, ModelMessage } from "../../../shared/model.ts";
import type { StopReason, Usage } from "../../../shared/session.ts";
import type { Clock, Ids } from "../kit/clock.ts";
import type { Tool, ToolCall, ToolCallResult, TurnState } from "../tools/types.ts";

/** What the loop hears of a call while it runs. */
interface CallHooks {
  onOutput?(text: string): void;
  onState?(state: "waiting" | "running"): void;
  readonly turn?: TurnState;
}
/** How calls are run: the one path of `tools/execute.ts`, bound to a caller. */
export interface CallRunner {
  /** Answers also where the call fails or is refused; what it throws becomes an error result. */
  execute(call: ToolCall, hooks: CallHooks, signal: AbortSignal): Promise<ToolCallResult>;
  /** Whether the call may run beside others; undefined: when its tool's class is `read`. */
  isReadOnly?(call: ToolCall): boolean | undefined;
  /** Whether a result is text from outside; undefined: what MCP servers and tools of class `net` give is. */
  isOutside?(result: ToolCallResult): boolean | undefined;
}
/** Tools that a model gets when it asks for them. */
export interface MoreTools {
  /** Those that it has got, in that order: they follow the others, so that what a provider has cached stays good. Read at each step. */
  sent(): readonly Tool[];
  /** All of them: who knows a name may call it. */
  known(): readonly Tool[];
}
/** One turn: a conversation that ends with a user's message, and what is needed to answer it. */
export interface TurnOptions extends CallRunner {
  readonly model: ChatModel;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** Read once: the list holds for the whole turn. */
  tools(): readonly Tool[];
  readonly more?: MoreTools;
  /** Model calls in this turn. */
  readonly maxSteps: number;
  /** At the limit the model is asked once for its report, without tools (spec 7). */
  readonly lastReport?: boolean;
  /** What it begins with, where it is part of another turn; absent: nothing. */
  readonly turn?: TurnState;
  readonly clock?: Clock;
  readonly ids?: Ids;
}
/** What a turn tells while it runs, in order. `message` names the answer of one step. */
export type TurnEvent =
  | { readonly type: "step"; readonly step: number }
  | { readonly type: "text" | "reasoning"; readonly message: string; readonly text: string }
  /** The whole of what was streamed; also of an answer that broke off. Before the step's calls. */
  | {
      readonly type: "assistant";
      readonly message: string;
      readonly text: string;
      readonly reasoning: string;
    }
  /** Before the call runs. `input` is what the model wrote. */
  | {
      readonly type: "tool_call";
      readonly call: ToolCall;
      readonly title: string;
      readonly origin: string;
      readonly app?: McpAppRef;
    }
  | { readonly type: "tool_state"; readonly callId: string; readonly state: "waiting" | "running" }
  | { readonly type: "tool_output"; readonly callId: string; readonly text: string }
  | { readonly type: "tool_result"; readonly result: ToolCallResult }
  /** One model call is over. `total` counts the turn. */
  | {
      readonly type: "step_end";
      readonly step: number;
      readonly model: string;
      readonly durationMs: number;
      readonly usage: Usage;
      readonly total: Usage;
      readonly error?: ErrorValue;
    }
  /** For people, not for the model. */
  | { readonly type: "notice"; readonly level: "info" | "warning" | "error"; readonly text: string }
  /** Names in the message that would mean skills, with which it goes to no model. */
  | { readonly type: "unused_skills"; readonly names: readonly string[] }
  /** Was put into the conversation for the model: a reminder, or what a slash command asks in place of its text. */
  | { readonly type: "reminder" | "prompt"; readonly text: string };
export interface TurnEnd {
  readonly stopReason: StopReason;
  /** The last text of the turn. */
  readonly text: string;
  /** Model calls that were made. */
  readonly steps: number;
  readonly usage: Usage;
  readonly error?: ErrorValue;
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };
export const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
});
