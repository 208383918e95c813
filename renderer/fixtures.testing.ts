import type { ApprovalView } from "../shared/approval.ts";
import type { SkillRow } from "../shared/extension-rows.ts";
import type { McpServerRow } from "../shared/mcp.ts";
import type { SessionRow, SessionView, ToolCallView } from "../shared/session.ts";
import type { WorkspaceView } from "../shared/workspace.ts";

/** Views with every member filled, for tests that care about one of them. */
export const mcpRow = (part: Partial<McpServerRow> = {}): McpServerRow => ({
  id: `mcp:user/${part.name ?? "files"}`,
  name: "files",
  transport: "stdio",
  state: "ready",
  toolCount: 3,
  tools: ["a", "b", "c"],
  origin: "user",
  scope: "user",
  command: ["npx", "files"],
  enabled: true,
  ...part,
});

export const skillRow = (part: Partial<SkillRow> = {}): SkillRow => ({
  id: `skill:user/${part.name ?? "notes"}`,
  name: "notes",
  description: "Writes notes",
  source: "user-nacre",
  scope: "user",
  path: "/home/me/.config/nacre/skills/notes/SKILL.md",
  state: "on",
  trusted: true,
  diagnostics: [],
  rank: 390,
  ...part,
});

export const sessionRow = (part: Partial<SessionRow> = {}): SessionRow => ({
  id: "s1",
  title: "First chat",
  createdAt: "2026-11-30T10:00:00Z",
  updatedAt: "2026-11-30T10:00:00Z",
  turns: 1,
  state: "idle",
  ...part,
});

export const sessionView = (part: Partial<SessionView> = {}): SessionView => ({
  row: sessionRow(),
  entries: [],
  before: null,
  running: false,
  runningSince: null,
  step: 0,
  queued: [],
  ...part,
});

export const toolCall = (part: Partial<ToolCallView> = {}): ToolCallView => ({
  callId: "c1",
  name: "read_file",
  title: "read_file",
  origin: "builtin",
  input: { path: "README.md" },
  state: "done",
  output: "",
  isError: false,
  durationMs: 12,
  decision: "allow",
  sandboxed: null,
  ...part,
});

export const approval = (part: Partial<ApprovalView> = {}): ApprovalView => ({
  id: "a1",
  sessionId: "s1",
  tool: "run_shell",
  title: "run_shell",
  origin: "builtin",
  perm: "shell",
  digest: "d1",
  facts: [{ label: "command", values: ["rm", "-rf", "out dir"] }],
  because: [{ code: "destructive" }],
  rule: "run_shell:rm *",
  careful: false,
  confined: false,
  askedBy: null,
  t: 0,
  ...part,
});

export const workspaceView = (part: Partial<WorkspaceView> = {}): WorkspaceView => ({
  workspace: { path: "/home/me/harbor-api", name: "harbor-api" },
  trust: { trusted: true, waiting: [] },
  summary: { skills: 0, plugins: 0, pluginTools: 0, mcpServers: 0 },
  skills: [],
  plugins: [],
  agents: [],
  mcp: [],
  sessions: [],
  approvals: [],
  questions: [],
  mcpRequests: [],
  background: [],
  diagnostics: [],
  settings: {
    model: null,
    approval: "on_request",
    sandbox: "workspace_write",
    sandboxState: { kind: "bubblewrap", ok: true },
    writableRoots: [],
    networkAccess: false,
    pluginNetwork: true,
    carefulAfterOutsideText: true,
    gate: [],
    theme: "system",
    locale: "en",
    rules: [],
    minimal: false,
  },
  models: [],
  commands: [],
  ...part,
});
