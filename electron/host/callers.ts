import type { Role } from "./agents/role.ts";
import { policyOfRole } from "./agents/role-policy.ts";
import type { TurnSettings } from "./chat/commands.ts";
import type { Foundation } from "./foundation.ts";
import type { Rule } from "./config/permission.ts";
import type { Caller, CallPolicy, ToolCallResult } from "./tools/types.ts";
import { countingRules } from "./workspace-rules.ts";

/** The model and the policies that the next turn takes: the settings, and what this start of the app says instead. */
export function effectiveSettings({ config, options, env }: Foundation): TurnSettings {
  const { model, policy } = config.current.settings;
  return {
    model: options.model ?? env["NACRE_MODEL"] ?? model,
    approval: options.policy?.approval ?? policy.approval,
    sandbox: options.policy?.sandbox ?? policy.sandbox,
  };
}
interface OutsideDeps {
  readonly trust: { isTrusted(): boolean };
  readonly tools: Pick<Foundation["tools"], "get">;
}
/** Built-in tools whose result is no text of a file: what the user typed, what the model itself wrote. */
const ownText = new Set(["ask_user", "write_file"]);
/**
 * Whether a result brought text to the model that nobody vouches for: from a server, from the network, from an untrusted
 * folder. A failure counts too: its text is mostly the program's.
 */
export const isOutside =
  ({ trust, tools }: OutsideDeps) =>
  (result: ToolCallResult): boolean => {
    if (result.outside === true) return true;
    if (result.decision === "deny" || result.decision === "asked_deny") return false;
    if (result.origin.startsWith("mcp ") || tools.get(result.name)?.perm === "net") return true;
    return !trust.isTrusted() && !ownText.has(result.name);
  };

/** The policy that holds now: the settings, and what this start of the app says instead. */
export function currentPolicy(foundation: Foundation): CallPolicy {
  const { config, options } = foundation;
  const { policy } = config.current.settings;
  const { approval, sandbox } = effectiveSettings(foundation);
  return {
    approval,
    sandbox,
    writableRoots: policy.writableRoots,
    networkAccess: policy.networkAccess,
    rules: countingRules(foundation).rules,
    allow: options.policy?.allow ?? [],
    carefulAfterOutsideText: policy.carefulAfterOutsideText,
    pluginNetwork: config.current.settings.sandbox.pluginNetwork,
  };
}
/** The rules for a role: the global ones, those of settings and dropstone.json for it, its own (spec 3, Permissions). */
export const rulesFor = (foundation: Foundation, role: Role | undefined): readonly Rule[] => [
  ...countingRules(foundation).rules,
  ...(role === undefined ? [] : rulesOfRole(foundation, role)),
];
/** What a role adds to them. */
export function rulesOfRole(foundation: Foundation, role: Role): readonly Rule[] {
  const named = countingRules(foundation).agents[role.name]?.rules ?? [];
  const trusted = !role.inWorkspace || foundation.trust.isTrusted();
  return policyOfRole(role, { ...emptyPolicy, rules: named }, trusted).rules;
}
/** The tools that settings and dropstone.json switch on or off for a role (`agent.<name>.tools`). */
export const switchedTools = (foundation: Foundation, role: Role): Readonly<Record<string, boolean>> =>
  countingRules(foundation).agents[role.name]?.tools ?? {};
const emptyPolicy: CallPolicy = {
  approval: "on_request",
  sandbox: "workspace_write",
  writableRoots: [],
  networkAccess: false,
  rules: [],
  allow: [],
};

/** A person: a slash command, the command line, the window. */
export const personCaller = (foundation: Foundation, sessionId: string | null): Caller => ({
  kind: "user",
  sessionId,
  role: null,
  get policy() {
    return currentPolicy(foundation);
  },
  canAsk: foundation.options.canAsk,
});
/** The model of a conversation, which may run as a role. @param granted what the person has allowed for its turn */
export function modelCaller(
  foundation: Foundation,
  sessionId: string,
  role: Role | undefined,
  tools: ReadonlySet<string>,
  granted: readonly Rule[] = [],
): Caller {
  return {
    kind: "model",
    sessionId,
    role: role?.name ?? null,
    get policy() {
      const policy = currentPolicy(foundation);
      // What was allowed for the turn stands first: whatever else speaks of a call decides instead.
      const first = policy.approval === "never" ? [] : granted;
      const last = role ? rulesOfRole(foundation, role) : [];
      return { ...policy, rules: [...first, ...policy.rules, ...last] };
    },
    canAsk: foundation.options.canAsk,
    tools,
  };
}
