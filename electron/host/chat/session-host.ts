import type { ChatModel } from "../../../shared/model.ts";
import type { TraceRow } from "../../../shared/trace.ts";
import type { Clock, Ids } from "../kit/clock.ts";
import type { SessionRecord } from "../record/session-record.ts";
import type { CommandNote, CommandRegistry, TurnChanges } from "../tools/commands.ts";
import type { Tool } from "../tools/types.ts";
import type { CallRunner, MoreTools } from "./turn.ts";

/** What one turn needs, made when it begins and fixed for its length; the policy is not: each call obeys what holds then. */
export interface TurnSetup extends CallRunner {
  /** Null: the guide answers. */
  readonly model: ChatModel | null;
  readonly system: string;
  /** A lasting reminder for the model (the catalog of skills), sent where it changed, taken back where it is null by now. */
  readonly reminder: string | null;
  tools(): readonly Tool[];
  readonly more?: MoreTools;
  /** Model calls in one turn. */
  readonly maxSteps: number;
}
/** Calls that a person makes, by a slash command. */
export interface PersonCalls extends CallRunner {
  tools(): readonly Tool[];
}
/** Which conversation asks. */
export interface SessionRef {
  readonly id: string;
  /** ISO 8601 */
  readonly createdAt: string;
}
/** What a message names with `@` and the model gets beside it. */
interface Mentions extends TurnChanges {
  /** Texts that come before the message. */
  readonly texts: readonly string[];
  readonly notes: readonly CommandNote[];
  /** Names that would mean something and were left out, each with a note. */
  readonly unused: readonly string[];
}
/** What a conversation is given by the host. */
export interface SessionHost {
  /** Waits for what the turn has to wait for. @throws NacreError where the model cannot be had, in plain words */
  setup(session: SessionRef, changes: TurnChanges, signal: AbortSignal): Promise<TurnSetup>;
  /**
   * What a message mentions. `wasGiven` says whether the model has a text already.
   * Absent where nothing can be mentioned.
   */
  mentions?(
    text: string,
    session: SessionRef,
    wasGiven: (text: string) => boolean,
    signal: AbortSignal,
  ): Promise<Mentions>;
  /** Whether a name means a skill in the conversation, also one that may not be loaded. Absent where there are none. */
  isSkill?(name: string, session: SessionRef): boolean;
  personCalls(session: SessionRef): PersonCalls;
  readonly commands: CommandRegistry;
  /** The guide's answer to a text that is no command. `expanded`: what a command would have asked of a model. */
  guide(text: string, expanded: boolean, signal: AbortSignal): Promise<string>;
  /** Resolves when nothing is on its way any more that a stopped turn of the conversation left behind. Never rejects. */
  settled(sessionId: string): Promise<void>;
  /** Whether something that the conversation started goes on though no turn runs: then it stays open. */
  goesOn(sessionId: string): boolean;
  /** The text without known secrets: a model server's error may repeat the key. */
  mask(text: string): string;
  /** A row of the trace for each model call. */
  trace(session: SessionRef, row: TraceRow): void;
  /** What goes wrong where nobody waits: for the log. */
  report(error: unknown): void;
}
/** What answering one message needs. */
export interface AnswerOptions {
  readonly host: SessionHost;
  readonly session: SessionRef;
  readonly record: Pick<SessionRecord, "lines" | "readBlob" | "sync">;
  readonly clock: Clock;
  readonly ids: Ids;
}
