import type { Contribution } from "./contribution.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { RuleAnswer } from "./policy.ts";

export type SkillState = "on" | "off" | "shadowed" | "invalid" | "denied" | "untrusted";
/** `nacre skills list` (cli.md). `id` is the contribution's. */
export interface SkillRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly source: string;
  readonly scope: string;
  readonly path: string;
  readonly state: SkillState;
  readonly shadowedBy?: string;
  readonly trusted: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** The lowest wins (spec 3, Roots). */
  readonly rank: number;
  /** Bytes; absent for what is no file. */
  readonly size?: number;
  /** When its file changed last, ms since 1970. */
  readonly changedAt?: number;
  /** `disable-model-invocation`: no part of the catalog, loaded by a person alone. */
  readonly hiddenFromModel?: true;
  /** `user-invocable: false`: no slash command. */
  readonly modelOnly?: true;
  /** It has arguments, so a form is drawn before it runs. */
  readonly takesArguments?: true;
  /** Wins its name because a person said so. */
  readonly pinned?: true;
  /** The rule that denies it or asks, with where it stands. */
  readonly rule?: { readonly pattern: string; readonly answer: RuleAnswer; readonly source: string };
  /** The conversation whose skill it is. */
  readonly sessionId?: string;
}

export type PluginState =
  | "on"
  | "off"
  | "untrusted"
  | "needs_approval"
  | "invalid"
  | "incompatible"
  | "shadowed";
/** `nacre plugins list` (cli.md). */
export interface PluginRow {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly scope: "user" | "workspace";
  readonly manifest: "kairox" | "codex" | "claude" | "agent-plugins" | "hermit";
  readonly path: string;
  readonly state: PluginState;
  readonly trust: string;
  readonly publisher?: string;
  readonly permissions?: unknown;
  readonly compatibility: { readonly ok: boolean; readonly reason?: string };
  readonly contributions: readonly Contribution[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `nacre agents list` (cli.md). `tools` empty means all. */
export interface RoleRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tools: readonly string[];
  readonly readonly: boolean;
  readonly model?: string;
  readonly maxSteps?: number;
  readonly source: string;
  readonly path?: string;
  readonly state: "on" | "off" | "shadowed" | "invalid";
  readonly diagnostics: readonly Diagnostic[];
}

/** `nacre tools list` (cli.md). */
export interface ToolRow {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly perm: string;
  readonly origin: string;
  readonly inputSchema: unknown;
}
