/** The nouns of spec 4. */
export const permissionClasses = ["read", "write", "net", "shell"] as const;
export type PermissionClass = (typeof permissionClasses)[number];
export const approvalPolicies = ["never", "on_request", "always"] as const;
export type ApprovalPolicy = (typeof approvalPolicies)[number];
export const sandboxPolicies = ["read_only", "workspace_write", "full_access"] as const;
export type SandboxPolicy = (typeof sandboxPolicies)[number];
export type RuleAnswer = "allow" | "ask" | "deny";
/** A rule as people write it (cli.md, PATTERN): `tool:pattern`, the tool alone where it stands for every argument. */
export const ruleText = ({ tool, pattern }: { readonly tool: string; readonly pattern: string }): string =>
  pattern === "*" ? tool : `${tool}:${pattern}`;
/** What the record says of one call: `asked_*` where a person (or `--allow`) answered (cli.md). */
export type Decision = "allow" | "deny" | "asked_allow" | "asked_deny";

/** `auto` is Hermit's name for `on_request` (spec 4). Undefined for an unknown word. */
export function parseApprovalPolicy(word: string): ApprovalPolicy | undefined {
  const name = word === "auto" ? "on_request" : word;
  return approvalPolicies.find((policy) => policy === name);
}
export const parseSandboxPolicy = (word: string): SandboxPolicy | undefined =>
  sandboxPolicies.find((policy) => policy === word);
