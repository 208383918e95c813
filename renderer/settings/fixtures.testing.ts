import type { Contribution } from "../../shared/contribution.ts";
import type { PluginRow, RoleRow, SkillRow } from "../../shared/extension-rows.ts";
import type { SkillInspection } from "../../shared/skills.ts";

/** Rows with every member filled, for tests that care about one of them. */
export const skillRow = (part: Partial<SkillRow> = {}): SkillRow => ({
  id: `skill:${part.source ?? "project-agents"}/${part.name ?? "pdf"}`,
  name: "pdf",
  description: "Reads PDF files",
  source: "project-agents",
  scope: "workspace",
  path: `/ws/.agents/skills/${part.name ?? "pdf"}/SKILL.md`,
  state: "on",
  trusted: true,
  diagnostics: [],
  rank: 200,
  ...part,
});

export const skillInspection = (part: Partial<SkillInspection> = {}): SkillInspection => {
  const row = part.row ?? skillRow();
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    schema: null,
    tools: [],
    allowedTools: [],
    row,
    content: "Read the **file** first.",
    text: `---\nname: ${row.name}\ndescription: ${row.description}\n---\nRead the **file** first.\n`,
    digest: "digest",
    resources: ["a.md"],
    moreResources: false,
    keywords: [],
    metadata: {},
    editable: true,
    removable: true,
    repairable: false,
    ...part,
  };
};

export const contribution = (part: Partial<Contribution> = {}): Contribution => ({
  id: `${part.kind ?? "tool"}:jira/${part.name ?? "jira_issue"}`,
  kind: "tool",
  name: "jira_issue",
  origin: "plugin jira",
  scope: "plugin",
  state: "on",
  enabled: true,
  diagnostics: [],
  ...part,
});

export const pluginRow = (part: Partial<PluginRow> = {}): PluginRow => ({
  name: "jira",
  version: "1.2.0",
  description: "Issues as tools",
  scope: "user",
  manifest: "hermit",
  path: "/home/me/.config/nacre/plugins/jira",
  state: "on",
  trust: "unverified",
  compatibility: { ok: true },
  contributions: [contribution()],
  diagnostics: [],
  ...part,
});

export const roleRow = (part: Partial<RoleRow> = {}): RoleRow => ({
  id: `agent:user-nacre/${part.name ?? "reviewer"}`,
  name: "reviewer",
  description: "Reads a change and says what is wrong with it",
  tools: ["read_file", "grep"],
  readonly: true,
  source: "user-nacre",
  path: "/home/me/.config/nacre/agents/reviewer.md",
  state: "on",
  diagnostics: [],
  ...part,
});
