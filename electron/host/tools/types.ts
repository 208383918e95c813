import type { ApprovalFact } from "../../../shared/approval.ts";
import type { JsonObject } from "../../../shared/json.ts";
import type { JsonSchema } from "../../../shared/json-schema.ts";
import type { McpAppRef } from "../../../shared/mcp-app.ts";
import type { ApprovalPolicy, Decision, PermissionClass, SandboxPolicy } from "../../../shared/policy.ts";
import type { Rule } from "../config/permission.ts";
import type { GuardedConfinement } from "../policy/sandbox.ts";

/** Who brings a tool: `{kind: "plugin", owner: "jira"}`. */
interface ToolOrigin {
  readonly kind: "builtin" | "plugin" | "mcp" | "skill" | "agent";
  readonly owner: string;
}
/** What a call would touch, for the gate. Paths as the arguments give them, relative to the workspace. */
export interface Touches {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  readonly hosts?: readonly string[];
  /** The shell command, for rules on `run_shell`. */
  readonly command?: string;
  /** The folder that the command runs in; absent: the workspace. */
  readonly cwd?: string;
  /** The command is for another shell than a POSIX one (PowerShell): rules do not take it apart. */
  readonly commandIsOpaque?: boolean;
  readonly destructive?: boolean;
  /** What rules on this tool match besides paths, hosts and command: the names of a skill. */
  readonly names?: readonly string[];
  /** Exact argument vector, for the approval card. */
  readonly argv?: readonly string[];
}
/** What one turn keeps from call to call. Its loop makes it and hands it to each call; a sub-agent's has its caller's `confirmed`. */
export interface TurnState {
  /** Text from outside reached the model in this turn: remembered answers for what could carry it away ask once more. */
  outsideText: boolean;
  /** The rules of remembered answers that were given once more since then, as `tool:pattern` or `tool`. */
  readonly confirmed: Set<string>;
}
export const newTurn = (outsideText = false): TurnState => ({ outsideText, confirmed: new Set() });
/** What a tool is handed for one run. */
export interface ToolRun {
  readonly callId: string;
  /** Real path of the workspace. */
  readonly workspace: string;
  /** The real path that the gate decided on for each path of `touches`, its folder among them. */
  readonly realPaths?: ReadonlyMap<string, string>;
  readonly sessionId: string | null;
  /** Null: unconfined. */
  readonly confinement: GuardedConfinement | null;
  readonly caller: Caller;
  readonly turn?: TurnState;
  /** Live output, in order; the same text stands in the result. */
  onOutput(text: string): void;
  /**
   * For a confined process that goes on after the call has answered: what it makes under protected names is looked for when
   * the function that this gives is called, at its end; that gives a note for each. Absent where nothing is confined.
   */
  keepWatch?(): () => Promise<readonly string[]>;
  readonly signal: AbortSignal;
}
export interface ToolOutput {
  readonly output: string;
  readonly isError: boolean;
  readonly exitCode?: number;
  /** False or true where a process ran; null where none did. */
  readonly sandboxed: boolean | null;
  /** The result carries text from outside, whatever its tool says: a sub-agent's that met such text. */
  readonly outside?: boolean;
  /** Unified diff of an edit. */
  readonly diff?: string;
  readonly images?: readonly { readonly mediaType: string; readonly base64: string }[];
  readonly structuredContent?: unknown;
  /** The blocks of an MCP result as they came. */
  readonly content?: readonly JsonObject[];
  /** Its `_meta`, which is for apps alone. */
  readonly meta?: JsonObject;
}
/** Something the model can call. `name` is the model's, `title` the interface's (`mcp.github.search`). */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly perm: PermissionClass;
  /** What gave it this class, where that is not its kind: `autoApprove of <file>`. */
  readonly permFrom?: string;
  readonly origin: ToolOrigin;
  readonly inputSchema: JsonSchema;
  /** True where the schema comes from elsewhere (MCP): its patterns and formats are left to its owner, never run on our thread. */
  readonly foreignSchema?: boolean;
  /** A shell-class process that the sandbox can confine (spec 4). */
  readonly confinable?: boolean;
  /** Keeps the network when confined (exec tools do, `run_shell` does not). */
  readonly keepsNetwork?: boolean;
  /**
   * The owner of this tool's server (`workspace`) where one that the user declared bears the same name: what the user
   * allowed by name was meant for that one, and rules that allow this one say `OWNER/NAME`.
   */
  readonly borrowedName?: string;
  /** The app that shows its calls (MCP Apps). */
  readonly app?: McpAppRef;
  /**
   * Never shown to a model. `app_only`: for an app of its server, no model may call it. `held_back`: its definition waits for
   * a person, and a model that knows the name is told so.
   */
  readonly hidden?: "app_only" | "held_back";
  /** The tool that this one belongs to: it is offered exactly where that one is. */
  readonly partOf?: string;
  /** Whether this call may run beside others of its step; absent: every call of class `read` may (spec 7, `task`). */
  parallel?(input: Readonly<Record<string, unknown>>): boolean;
  touches?(input: Readonly<Record<string, unknown>>, caller: Caller): Touches;
  /** Why the call would come to nothing whatever is answered: then nobody is asked about it. */
  cannot?(input: Readonly<Record<string, unknown>>, caller: Caller): string | undefined;
  /** What a model is told where a rule denies the call; absent: which rule it was. */
  ruleDenial?(input: Readonly<Record<string, unknown>>): string;
  /** What an approval shows beside command and paths: the difference that an edit makes. */
  facts?(
    input: Readonly<Record<string, unknown>>,
    run: Pick<ToolRun, "workspace" | "realPaths">,
  ): Promise<readonly ApprovalFact[]>;
  run(input: Readonly<Record<string, unknown>>, run: ToolRun): Promise<ToolOutput>;
}
/** The policy that holds for one caller: a sub-agent's is never wider than its parent's. */
export interface CallPolicy {
  readonly approval: ApprovalPolicy;
  readonly sandbox: SandboxPolicy;
  readonly writableRoots: readonly string[];
  readonly networkAccess: boolean;
  /** Joined in the order of spec 2; the role's last. */
  readonly rules: readonly Rule[];
  /** `--allow` patterns of this run. */
  readonly allow: readonly string[];
  /** False: remembered answers hold after text from outside too (spec 4, "careful after outside text"). */
  readonly carefulAfterOutsideText?: boolean;
  /** False: a confined exec tool has no network of its own either (spec 4, OS sandbox). */
  readonly pluginNetwork?: boolean;
}
/** Who calls: the model of a session, a sub-agent, a person (slash command, command line). */
export interface Caller {
  readonly kind: "model" | "agent" | "user";
  readonly sessionId: string | null;
  /** The role's name for a sub-agent. */
  readonly role: string | null;
  /** Names one run of a sub-agent; absent for everybody else. */
  readonly agentRun?: string;
  /** What holds now: read at each call, for it may change while a turn runs. A copy of a caller keeps what held then. */
  readonly policy: CallPolicy;
  /** False: an ask is denied (headless). */
  readonly canAsk: boolean;
  /** What this caller may call; undefined: everything. */
  readonly tools?: ReadonlySet<string>;
}
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}
export interface ToolCallResult {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly origin: string;
  readonly input: unknown;
  readonly output: string;
  readonly isError: boolean;
  readonly exitCode?: number;
  readonly durationMs: number;
  readonly decision: Decision;
  readonly sandboxed: boolean | null;
  readonly outside?: boolean;
  readonly diff?: string;
  readonly images?: ToolOutput["images"];
  readonly structuredContent?: unknown;
  readonly content?: readonly JsonObject[];
  readonly meta?: JsonObject;
  /** What decided, for the trace: `policy`, `rule run_shell:git*`, `approval`. */
  readonly by: string;
}
