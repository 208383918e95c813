import type { RuleRow, SettingsView } from "../../shared/workspace.ts";
import { currentPolicy, effectiveSettings, rulesFor } from "./callers.ts";
import type { Foundation } from "./foundation.ts";
import { gateTable } from "./policy/gate-table.ts";
import { allowRule } from "./config/permission.ts";
import type { Rooms } from "./rooms.ts";
import { countingRules } from "./workspace-rules.ts";

/** What the window shows of settings and policy. Reads what is known already: starts no process. */
export function settingsView(foundation: Foundation, rooms: Pick<Rooms, "roles">): SettingsView {
  const { config, options, sandbox } = foundation;
  const { settings } = config.current;
  return {
    ...effectiveSettings(foundation),
    sandboxState: sandbox.state(),
    writableRoots: settings.policy.writableRoots,
    networkAccess: settings.policy.networkAccess,
    pluginNetwork: settings.sandbox.pluginNetwork,
    carefulAfterOutsideText: settings.policy.carefulAfterOutsideText,
    gate: gateTable(currentPolicy(foundation), sandbox.kind !== null),
    ...settings.appearance,
    rules: ruleRows(foundation, rooms),
    minimal: options.minimal ?? false,
  };
}

/** Every rule that counts, in the order of spec 2, each role's after them; then the answers, which speak where those leave an ask. */
function ruleRows(foundation: Foundation, rooms: Pick<Rooms, "roles">): RuleRow[] {
  const { rules } = countingRules(foundation);
  const isRemembered = ({ source }: RuleRow): boolean => source === "always";
  const ofRoles = rooms.roles.list().flatMap((role) =>
    rulesFor(foundation, role)
      .slice(rules.length)
      .map((rule) => ({ ...rule, role: role.name })),
  );
  const allowed = (foundation.options.policy?.allow ?? []).map((text) => allowRule(text, "allow"));
  return [
    ...rules.filter((rule) => !isRemembered(rule)),
    ...ofRoles,
    ...rules.filter(isRemembered),
    ...allowed,
  ];
}
