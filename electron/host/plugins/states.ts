import type { PluginState } from "../../../shared/extension-rows.ts";
import type { FoundPlugin } from "./inventory.ts";

export interface PluginCircumstances {
  readonly isOn: (id: string) => boolean;
  /** Trust is asked about it: a workspace's, and one that an install brought; any other of the user's counts as it stands. */
  readonly isAsked: (plugin: FoundPlugin) => boolean;
  /** What trust says of it. */
  readonly stateOf: (plugin: FoundPlugin) => "untrusted" | "needs_approval" | "approved";
}

/**
 * The state of each, best first in. The first of a name that may run has it; one that is untrusted, waiting, off or
 * broken shadows nothing (spec 2), so that a foreign folder takes no plugin of the user's away.
 */
export function pluginStates(
  plugins: readonly FoundPlugin[],
  circumstances: PluginCircumstances,
): ReadonlyMap<FoundPlugin, PluginState> {
  const taken = new Set<string>();
  return new Map(
    plugins.map((plugin) => {
      const own = ownState(plugin, circumstances);
      if (own !== "on") return [plugin, own];
      const { name } = plugin.manifest;
      if (taken.has(name)) return [plugin, "shadowed"];
      taken.add(name);
      return [plugin, "on"];
    }),
  );
}

function ownState(plugin: FoundPlugin, { isOn, isAsked, stateOf }: PluginCircumstances): PluginState {
  if (!plugin.manifest.valid) return "invalid";
  if (!isOn(plugin.id)) return "off";
  if (isAsked(plugin)) {
    const trust = stateOf(plugin);
    if (trust === "untrusted") return trust;
    if (!plugin.digest().ok) return "invalid";
    if (trust !== "approved") return trust;
  }
  return plugin.manifest.compatibility.ok ? "on" : "incompatible";
}
