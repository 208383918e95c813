import { expect, test } from "vitest";
import { mcpRow } from "../fixtures.testing.ts";
import { contributionText } from "./contribution-text.ts";
import { contribution, skillRow } from "./fixtures.testing.ts";

const tool = (origin: string) => ({
  name: "jira_issue",
  title: "jira_issue",
  description: `of ${origin}`,
  perm: "net",
  origin,
  inputSchema: {},
});
const known = {
  skills: [skillRow({ id: "skill:jira/triage", description: "Sorts what came in" })],
  tools: [tool("plugin other"), tool("plugin jira")],
  mcp: [mcpRow({ id: "mcp:jira/jira", command: ["npx", "jira-mcp"] })],
};

test.each([
  [contribution({ kind: "skill", id: "skill:jira/triage" }), { text: "Sorts what came in", perm: "" }],
  [contribution(), { text: "of plugin jira", perm: "net" }],
  [contribution({ kind: "mcp", id: "mcp:jira/jira" }), { text: "npx jira-mcp", perm: "" }],
  [contribution({ name: "not_loaded" }), { text: "", perm: "" }],
  [contribution({ kind: "hook" }), { text: "", perm: "" }],
])("$id", (row, text) => expect(contributionText(row, known)).toEqual(text));
