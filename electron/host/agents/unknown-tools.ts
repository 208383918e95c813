import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { Role } from "./role.ts";

/** Servers come and go: their tools may be there in a moment. Patterns may fit nothing. */
const mayComeLater = /^(?:mcp|lsp|dap)(?:__|\.)|[*?]/i;

/**
 * The names of a role's list that are no tool here, as one warning (spec 4). They are left out, and a list of which
 * nothing is left is still a list: the role gets no tool by it.
 * @param isTool Whether there is a tool of this name, by any of its names.
 */
export function unknownTools(role: Role, isTool: (name: string) => boolean): readonly Diagnostic[] {
  const unknown = (role.tools.allow ?? []).filter((name) => !mayComeLater.test(name) && !isTool(name));
  if (unknown.length === 0 || role.path === undefined) return [];
  return [
    {
      code: "role-tool-unknown",
      severity: "warning",
      message: `${role.name} names ${unknown.join(", ")}, which ${unknown.length === 1 ? "is no tool" : "are no tools"} here; it goes without`,
      path: role.path,
      ...(role.toolsLine === undefined ? {} : { line: role.toolsLine }),
      fix: "take the name away, or plug in what brings the tool",
    },
  ];
}
