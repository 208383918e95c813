import type { Input } from "../../shared/contract/index.ts";
import { sandboxPolicies } from "../../shared/policy.ts";
import type { Settings } from "./config/types.ts";

export type SettingsChange = Input<"settings.set">;
/** One setting under which more would be allowed, or less asked, than now. Texts as settings.json has them. */
export interface Widening {
  readonly setting: string;
  readonly from: string;
  readonly to: string;
}

/**
 * What a change of settings would allow that is not allowed now, or is asked about now; empty where nothing. Pure.
 * `addRoot` is given as settings keep it.
 */
export function widenedPolicy(
  now: Pick<Settings, "policy" | "sandbox">,
  change: SettingsChange,
): readonly Widening[] {
  const { policy } = now;
  const { approval, sandbox, addRoot } = change;
  const found: Widening[] = [];
  const flag = (setting: string, from: boolean, to: boolean | undefined, wide: boolean): void => {
    if (to === wide && from !== wide) found.push({ setting, from: String(from), to: String(to) });
  };
  if (sandbox !== undefined && sandboxPolicies.indexOf(sandbox) > sandboxPolicies.indexOf(policy.sandbox))
    found.push({ setting: "policy.sandbox", from: policy.sandbox, to: sandbox });
  // `always` alone asks about what the sandbox policy allows; `never` and `on_request` let it pass alike.
  if (approval !== undefined && approval !== "always" && policy.approval === "always")
    found.push({ setting: "policy.approval", from: policy.approval, to: approval });
  if (addRoot !== undefined && !policy.writableRoots.includes(addRoot))
    found.push({ setting: "policy.writable_roots", from: "", to: addRoot });
  flag("policy.network_access", policy.networkAccess, change.networkAccess, true);
  flag(
    "policy.careful_after_outside_text",
    policy.carefulAfterOutsideText,
    change.carefulAfterOutsideText,
    false,
  );
  flag("sandbox.pluginNetwork", now.sandbox.pluginNetwork, change.pluginNetwork, true);
  return found;
}
