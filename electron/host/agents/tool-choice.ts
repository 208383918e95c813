import { isObject, type JsonObject } from "../../../shared/json.ts";
import { switchOf } from "../../../shared/switch-of.ts";
import { namesOf } from "../kit/frontmatter.ts";
import { isCatchAll } from "../policy/match-pattern.ts";
import { canonicalToolName } from "../tools/aliases.ts";
import type { ReportKey } from "./parse-role.ts";
import type { ToolChoice } from "./role.ts";

export const disallowedKeys = ["disallowedTools", "disallowed_tools"] as const;

/**
 * `tools` (a list, text with commas, or a map of names to true and false) and `disallowedTools` of a role (spec 7).
 * What cannot be used is reported; nothing of it ever means more tools.
 */
export function toolChoice(data: JsonObject, role: string, report: ReportKey): ToolChoice {
  const denied = disallowedKeys.flatMap((key) => named(namesOf(data[key]) ?? [], key, role, report));
  const { allow, deny } = chosen(data["tools"], role, report);
  return { allow, deny: [...deny, ...denied] };
}

function chosen(raw: unknown, role: string, report: ReportKey): ToolChoice {
  if (raw === undefined || raw === null) return { allow: null, deny: [] };
  if (isObject(raw)) return chosenByMap(raw, role, report);
  const names = namesOf(raw);
  if (names !== undefined) return { allow: named(names, "tools", role, report), deny: [] };
  report("tools", {
    code: "role-tools-invalid",
    severity: "warning",
    message: `tools of ${role} are no list of names; it gets none`,
    fix: "write tools: read_file, grep or a list of names",
  });
  return { allow: [], deny: [] };
}

/** opencode's form: everything is on but what is false; after `"*": false` nothing is but what is true. */
function chosenByMap(raw: JsonObject, role: string, report: ReportKey): ToolChoice {
  let allow: string[] | null = null;
  let deny: string[] = [];
  for (const [key, value] of Object.entries(raw)) {
    const [name = key] = named([key], "tools", role, report);
    const on = switchOf(value);
    if (on === undefined)
      report("tools", {
        code: "role-switch-invalid",
        severity: "warning",
        message: `tools.${key} of ${role} is neither true nor false; it counts as false`,
        fix: `write ${key}: true or ${key}: false`,
      });
    if (isCatchAll(name)) [allow, deny] = [on ? null : [], []];
    else if (on) {
      allow?.push(name);
      deny = deny.filter((other) => other !== name);
    } else deny.push(name);
  }
  return { allow, deny };
}

/** `Bash(git diff:*)` names a tool; what it may be called with is a permission's business, and that is said. */
function named(names: readonly string[], key: string, role: string, report: ReportKey): string[] {
  return names.map((name) => {
    const bare = name.replace(/\(.*\)$/s, "");
    const tool = canonicalToolName(bare);
    if (bare !== name)
      report(key, {
        code: "role-tool-arguments",
        severity: "warning",
        message: `${name} of ${role} counts as ${tool} with any arguments`,
        fix: `limit them under permission: ${tool}`,
      });
    return tool;
  });
}
