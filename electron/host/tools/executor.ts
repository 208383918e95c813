import type { ExplanationView } from "../../../shared/contract/policy.ts";
import type { AppPaths } from "../config/types.ts";
import type { Logger } from "../kit/log.ts";
import type { ApprovalBroker } from "../policy/approvals.ts";
import type { Sandbox } from "../policy/sandbox.ts";
import type { ApproveDeps } from "./approve.ts";
import type { Confine } from "./confined-program.ts";
import type { BackgroundCommands } from "./background.ts";
import type { Interceptor } from "./interceptors.ts";
import type { Permit, PermitRequest } from "./permit.ts";
import type { ToolRegistry } from "./registry.ts";
import type { Caller, Tool, ToolCall, ToolCallResult, TurnState } from "./types.ts";

/** What `createExecutor` stands on. */
export interface ExecutorOptions extends Omit<ApproveDeps, "broker" | "onDiagnostic"> {
  readonly registry: ToolRegistry;
  readonly broker: ApprovalBroker;
  readonly sandbox: Sandbox;
  /** Real path. */
  readonly workspace: string;
  readonly paths: AppPaths;
  readonly interceptors?: readonly Interceptor[];
  /** What calls have left running. */
  readonly background: Pick<BackgroundCommands, "settled" | "endSession" | "endAll">;
  /** Skill folders, which may be read like the workspace. */
  readableFolders(): readonly string[];
  onDiagnostic?: ApproveDeps["onDiagnostic"];
  /** Hears faults of the app itself, with their stack. */
  readonly log?: Logger;
}
export interface ExecuteOptions {
  onOutput?(text: string): void;
  /** `waiting` while a question is open, then `running`. */
  onState?(state: "waiting" | "running"): void;
  /**
   * Finds the tool in place of the registry, for what no model is offered: a server's tool for its own app. Asked again after
   * an answer. @throws NacreError `not_found`
   */
  tool?(): Tool;
  /** The turn that the call belongs to; absent: it is one of its own. */
  readonly turn?: TurnState;
}
/** The one path of every action (architecture, idea 2). */
export interface Executor {
  /**
   * Runs one call: coercion and validation, hooks, gate, approval, sandbox, limits, trace. What goes wrong is a failed
   * result that says what, where and what to do. @throws only the signal's reason
   */
  execute(
    call: ToolCall,
    caller: Caller,
    options: ExecuteOptions,
    signal: AbortSignal,
  ): Promise<ToolCallResult>;
  /**
   * Gate and question for what a person does that is judged like a call and is none: nothing is run.
   * @throws NacreError `denied`, in words
   */
  permit(request: PermitRequest, signal: AbortSignal): Promise<Permit>;
  /** What would decide about a call, without running it. @throws NacreError `not_found`, `invalid_input` */
  explain(name: string, input: unknown, caller: Caller, outsideText?: boolean): ExplanationView;
  /** Whether a call may run beside others of its step. By class alone, never by a look at what it would do. */
  isReadOnly(call: ToolCall): boolean;
  /**
   * Resolves when no call of the session runs any more, those of its sub-agents and those that a stopped turn left
   * behind among them; at the latest after 15 s. Never rejects.
   */
  settled(sessionId: string): Promise<void>;
  /** Confines a program that is no tool call, an MCP server or a hook; it is watched as calls are. */
  readonly confine: Confine;
  /** Takes out of the workspace what confined runs of a process made that was killed; before anything there is read. */
  recover(): Promise<unknown>;
  /** Ends what the session has left running in the background, and removes what its confined processes had as /tmp. */
  endSession(sessionId: string): Promise<void>;
  /** Waits for calls that still run, ends what goes on in the background, and removes every temporary folder. */
  stop(): Promise<void>;
}
