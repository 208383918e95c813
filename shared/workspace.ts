import type { JsonSchema } from "./json-schema.ts";
import type { ApprovalView } from "./approval.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { PluginRow, RoleRow, SkillRow } from "./extension-rows.ts";
import type { McpServerRow } from "./mcp.ts";
import type { McpRequestView } from "./mcp-request.ts";
import type { ApprovalPolicy, PermissionClass, RuleAnswer, SandboxPolicy } from "./policy.ts";
import type { QuestionView } from "./question.ts";
import type { SessionRow } from "./session.ts";
import type { ExtensionCounts } from "./summary.ts";

/** One difference between what was approved and what stands there now; null where it was, or is, absent. */
export interface DeclarationChange {
  /** `command`, `args`, `env.TOKEN`, or the file's path as people know it. */
  readonly what: string;
  /** As written; of a long or binary file a line that says its size. */
  readonly before: string | null;
  readonly after: string | null;
}
/** One thing that a declaration could run, and everything else that it says of it. */
export interface DeclaredRun {
  /** A part of a plugin, a role of a file of rules; else empty. */
  readonly what: string;
  /** One element an argument. */
  readonly command: readonly string[];
  /** Environment, headers, what needs no approval, class …: as written, by the way to it (`env.TOKEN`). */
  readonly settings?: readonly { readonly name: string; readonly value: string }[];
}
/** A declaration of the workspace that may run or allow something, and waits or not (spec 2, Trust). */
export interface DeclarationRow {
  readonly id: string;
  /** `rules`: a file whose permission rules allow something. */
  readonly kind: "plugin" | "mcp" | "hook" | "lsp" | "dap" | "rules";
  readonly name: string;
  readonly path: string;
  /** Everything that it could run. */
  readonly runs: readonly DeclaredRun[];
  readonly state: "untrusted" | "needs_approval" | "approved";
  /** What is different from what was approved; absent where nothing of this id was ever approved. */
  readonly changes?: readonly DeclarationChange[];
}
/** A slash command (spec 8). `hint` shows its arguments. */
export interface CommandRow {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  /**
   * An object schema of its arguments, in the order in which they are written: a form can ask for them as for those of a
   * skill. What was filled in is typed behind the name, as `typedForForm` reads it.
   */
  readonly arguments?: JsonSchema;
  /** The prompt of an MCP server that it gives: its server may propose values (`mcp.complete`). */
  readonly prompt?: { readonly server: string; readonly name: string };
}
export interface ModelRow {
  /** `PROVIDER/MODEL`, as `--model` takes it. */
  readonly id: string;
  readonly provider: string;
  readonly ok: boolean;
  readonly error?: string;
}
/** What an action touches, as the gate's table tells it. */
export type GatePlace = "inside" | "outside" | "confined" | "unconfined" | "destructive" | "any";
/** What the gate says of one kind of action before any rule. */
export interface GateLine {
  readonly perm: PermissionClass;
  readonly where: GatePlace;
  readonly answer: RuleAnswer;
}
/** Whether commands can run confined on this computer, and what to do where they cannot. */
export interface SandboxState {
  readonly kind: "bubblewrap" | "seatbelt" | null;
  readonly ok: boolean;
  readonly reason?: string;
  readonly fix?: string;
  /** The part of `fix` that is typed in a terminal. */
  readonly command?: string;
}
/** A command that runs in the background, or ran in it (spec 4, `run_shell`). */
export interface BackgroundRow {
  readonly id: string;
  /** The call that started it. */
  readonly callId: string;
  readonly sessionId: string | null;
  readonly command: string;
  readonly startedAt: number;
  readonly state: "running" | "exited" | "stopped";
  readonly exitCode?: number;
  readonly confined: boolean;
  /** The last line of its output. */
  readonly lastLine: string;
}
/** One permission rule (spec 4). */
export interface RuleRow {
  readonly tool: string;
  readonly pattern: string;
  readonly answer: RuleAnswer;
  /** `settings`, `dropstone:<path>`, `role:<name>`, `always` (an answer "always here"), `allow` (`--allow` of this start). */
  readonly source: string;
  /** False for a file of an untrusted workspace: the rule counts only where it denies or asks. */
  readonly trusted: boolean;
  /** The rule holds only while this role runs. */
  readonly role?: string;
}
/** The model and policy that the next turn takes, and what the window needs of the settings. */
export interface SettingsView {
  /** Null where the guide answers. */
  readonly model: string | null;
  readonly approval: ApprovalPolicy;
  readonly sandbox: SandboxPolicy;
  readonly sandboxState: SandboxState;
  /** Folders beside the workspace that the agent may write in. */
  readonly writableRoots: readonly string[];
  readonly networkAccess: boolean;
  /** Confined tools of plugins keep the network. */
  readonly pluginNetwork: boolean;
  /** After text from outside, remembered answers ask once more (spec 4). */
  readonly carefulAfterOutsideText: boolean;
  /** What the gate says of each kind of action under this policy, before any rule. */
  readonly gate: readonly GateLine[];
  readonly theme: "system" | "light" | "dark";
  readonly locale: "system" | "en" | "zh";
  /** In the order in which they are looked at: the rules, then what answers an ask that they leave open. */
  readonly rules: readonly RuleRow[];
  readonly minimal: boolean;
}
/**
 * The topic `workspace`. Every member is a slice that an event replaces; `mcp` and `sessions` also by row. Of many
 * `skills` a snapshot has the first; the others follow in parts.
 */
export interface WorkspaceView {
  readonly workspace: { readonly path: string; readonly name: string };
  readonly trust: {
    readonly trusted: boolean;
    readonly waiting: readonly DeclarationRow[];
    /** The trusted folder of which this one, which is not, is a git worktree. */
    readonly worktreeOf?: string;
  };
  /** What is on: the one source of every sum on screen. */
  readonly summary: ExtensionCounts;
  readonly skills: readonly SkillRow[];
  readonly plugins: readonly PluginRow[];
  readonly agents: readonly RoleRow[];
  readonly mcp: readonly McpServerRow[];
  readonly sessions: readonly SessionRow[];
  readonly approvals: readonly ApprovalView[];
  readonly questions: readonly QuestionView[];
  /** What MCP servers want of the person. */
  readonly mcpRequests: readonly McpRequestView[];
  readonly background: readonly BackgroundRow[];
  readonly diagnostics: readonly Diagnostic[];
  readonly settings: SettingsView;
  readonly models: readonly ModelRow[];
  readonly commands: readonly CommandRow[];
}
export type WorkspaceSlice = keyof WorkspaceView;
export type WorkspaceEvent =
  | { readonly type: "slice"; readonly slice: Partial<WorkspaceView> }
  | { readonly type: "mcp"; readonly row: McpServerRow }
  | { readonly type: "session"; readonly row: SessionRow }
  /** The rows from `at` on, of `total`: what stands there is replaced, what stands behind the total is gone. */
  | {
      readonly type: "skills";
      readonly at: number;
      readonly rows: readonly SkillRow[];
      readonly total: number;
    };

/** The topic `app`. */
export interface AppView {
  readonly version: string;
  readonly shell: "desktop" | "browser" | "cli";
  readonly recent: readonly string[];
}
export type AppEvent = { readonly type: "app"; readonly app: AppView };
