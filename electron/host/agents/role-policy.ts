import { parsePermission } from "../config/permission.ts";
import { matchPattern } from "../policy/match-pattern.ts";
import { canonicalToolName } from "../tools/aliases.ts";
import type { CallPolicy, Tool } from "../tools/types.ts";
import type { RoleHead } from "./role.ts";

/** A sub-agent never starts another one and never asks (spec 7). */
const neverOffered = new Set(["task", "ask_user"]);

const fits = (patterns: readonly string[], tool: Tool): boolean =>
  patterns.some((pattern) => matchPattern(pattern, tool.name) || matchPattern(pattern, tool.title));

/**
 * The tools of the caller that the role may call too; never more. `main` is a conversation that runs as the role.
 * `switched` is `agent.<name>.tools` of settings and dropstone.json: the last pattern that fits counts, and true adds
 * nothing that the role itself does not have.
 */
export function toolsOfRole(
  role: RoleHead,
  offered: readonly Tool[],
  use: "sub-agent" | "main" = "sub-agent",
  switched: Readonly<Record<string, boolean>> = {},
): readonly Tool[] {
  const switches = Object.entries(switched).map(([name, on]) => ({ names: [canonicalToolName(name)], on }));
  const isOff = (tool: Tool): boolean => switches.findLast(({ names }) => fits(names, tool))?.on === false;
  return offered.filter((one) => {
    if (fits(role.tools.deny, one) || isOff(one)) return false;
    const tool = offered.find(({ name }) => name === one.partOf) ?? one;
    if (isOff(tool)) return false;
    if (use === "sub-agent" && neverOffered.has(tool.name)) return false;
    if (role.readonly && (tool.perm === "write" || tool.perm === "shell")) return false;
    if (fits(role.tools.deny, tool)) return false;
    return role.tools.allow === null || fits(role.tools.allow, tool);
  });
}

/**
 * The caller's policy with the role's own rules last. What `readonly` drops is not among the caller's tools at all.
 * @param trusted False for a file of a workspace that is not trusted: its rules only ever deny or ask (spec 2).
 */
export function policyOfRole(role: RoleHead, policy: CallPolicy, trusted: boolean): CallPolicy {
  const { rules } = parsePermission(role.permission, `role:${role.name}`, trusted);
  // A role may narrow what its caller may do and never widen it: its allow answers no ask of the caller's.
  const narrowing = rules.filter((rule) => rule.answer !== "allow" || rule.tool === "skill");
  return { ...policy, rules: [...policy.rules, ...narrowing] };
}
