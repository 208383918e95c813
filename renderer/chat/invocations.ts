import type { McpTemplateRow } from "../../shared/mcp.ts";
import { neededVariables } from "../../shared/uri-template.ts";
import type { CommandRow } from "../../shared/workspace.ts";
import type { Invocation } from "./skill-form.ts";

const bare = { tools: [], allowedTools: [] } as const;

/** A slash command with arguments as its form asks for them. */
export const commandInvocation = (command: CommandRow): Invocation => ({
  ...bare,
  id: `command:${command.name}`,
  name: command.name,
  description: command.description,
  schema: command.arguments ?? null,
  command,
});
/** The variables of a template, which takes the place of `from` to `to` of the draft. */
export const templateInvocation = (row: McpTemplateRow, from: number, to: number): Invocation => ({
  ...bare,
  id: `template:${row.server}:${row.uriTemplate}`,
  name: row.name || row.uriTemplate,
  description: row.description,
  schema: {
    type: "object",
    properties: Object.fromEntries(row.variables.map((name) => [name, { type: "string" }])),
    required: neededVariables(row.uriTemplate),
  },
  template: { row, from, to },
});
