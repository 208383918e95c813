import { NacreError } from "../../shared/errors.ts";
import { isObject, type JsonObject } from "../../shared/json.ts";
import { ruleText } from "../../shared/policy.ts";

/**
 * The edit that takes a rule out of settings: a remembered answer of this workspace, or one of `permission`.
 * @throws NacreError `not_found` where these settings have no such rule
 */
export function removedRule(
  current: JsonObject,
  workspace: string,
  tool: string,
  pattern: string,
): { path: string[]; value: unknown }[] {
  const remembered = isObject(current["remembered"]) ? current["remembered"][workspace] : undefined;
  const text = ruleText({ tool, pattern });
  if (Array.isArray(remembered) && remembered.includes(text))
    return [{ path: ["remembered", workspace], value: remembered.filter((one) => one !== text) }];
  const permission = current["permission"];
  const ofTool = isObject(permission) ? permission[tool] : undefined;
  if (isObject(ofTool) && Object.hasOwn(ofTool, pattern))
    return [{ path: ["permission", tool, pattern], value: undefined }];
  if (typeof ofTool === "string" && pattern === "*")
    return [{ path: ["permission", tool], value: undefined }];
  throw new NacreError("not_found", `settings.json has no rule ${text}: it stands in another file`);
}
