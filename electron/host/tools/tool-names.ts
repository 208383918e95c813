import type { ToolNames } from "../policy/rules.ts";
import { aliasesOf, isBuiltinName } from "./aliases.ts";
import type { Tool } from "./types.ts";

/** Names that only the room of that kind gives (spec 6 and 10); rules on them mean its tools. */
const reserved = /^(mcp|lsp|dap)(__|\.)/i;

/**
 * The names that rules may use for a tool. Other systems' names mean the built-in tools alone. A tool that bears a name
 * which says another one (a plugin's `bash` or `mcp__git__status`, a server that shadows one of the user's) still hears
 * every deny and ask on it; what allows has to say `OWNER/NAME`, or `*`.
 */
export function toolNames(tool: Tool): ToolNames {
  const known = made.get(tool);
  if (known !== undefined) return known;
  const names = namesOf(tool);
  made.set(tool, names);
  return names;
}
/** A tool that changes is another object; each call asks for them. */
const made = new WeakMap<Tool, ToolNames>();
function namesOf(tool: Tool): ToolNames {
  const own = [...new Set([tool.name, tool.title])];
  if (tool.origin.kind === "builtin") return { all: [...new Set([...own, ...aliasesOf(tool.name)])] };
  const owner =
    tool.borrowedName ?? (own.some((name) => saysAnother(name, tool)) ? tool.origin.owner : undefined);
  if (owner === undefined) return { all: own };
  const forAllow = own.map((name) => `${owner}/${name}`);
  return { all: [...own, ...forAllow], forAllow };
}
const saysAnother = (name: string, { origin }: Tool): boolean =>
  isBuiltinName(name) || (origin.kind === "plugin" && reserved.test(name));
