import type { Diagnostic } from "../../../shared/diagnostic.ts";

/** What a role may call: names and patterns; null is everything its caller may (spec 7). A denial wins. */
export interface ToolChoice {
  readonly allow: readonly string[] | null;
  readonly deny: readonly string[];
}
/** What a role's file says. JSON, so that it can be kept in an index. */
export interface RoleHead {
  readonly name: string;
  readonly description: string;
  readonly tools: ToolChoice;
  /** 1-based line of its list, for what only the tools that there are can tell of it. */
  readonly toolsLine?: number;
  /** Without tools that write or run, so that runs of it may go beside each other. */
  readonly readonly: boolean;
  readonly model?: string;
  /** Model calls in one run. */
  readonly maxSteps?: number;
  /** As written; its rules come after the global ones. */
  readonly permission?: unknown;
  readonly skills: readonly string[];
  /** Ends the sub-agent's system prompt. */
  readonly prompt: string;
}
/** A file that could be read: a role, or the reasons why it is none. */
export interface ParsedRole {
  readonly head: RoleHead | null;
  readonly diagnostics: readonly Omit<Diagnostic, "path">[];
}
export interface Role extends RoleHead {
  /** `agent:OWNER/NAME` */
  readonly id: string;
  readonly source: string;
  /** A file of the workspace: its rules count for more than a denial only where the workspace is trusted. */
  readonly inWorkspace: boolean;
  readonly path?: string;
  readonly diagnostics: readonly Diagnostic[];
}
