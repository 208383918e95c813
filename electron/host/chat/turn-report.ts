import type { StopReason, Usage } from "../../../shared/session.ts";
import type { ToolCallResult } from "../tools/types.ts";
import type { TurnEnd } from "./turn.ts";

/** How a turn went, for who sent its message. */
export interface TurnReport {
  readonly session: string;
  readonly text: string;
  readonly steps: number;
  readonly usage: Usage;
  readonly toolCalls: readonly ToolCallResult[];
  readonly stopReason: StopReason;
  readonly error?: TurnEnd["error"];
}
export interface SentMessage {
  /** It waits for the turn that runs. */
  readonly queued: boolean;
  /** Settles when its turn has ended. Never rejects; a message that was taken back ends as `stopped` without steps. */
  readonly turn: Promise<TurnReport>;
}
