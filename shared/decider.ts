/** What decided about a call; `detail` is the rule, folder, hook or pattern, empty for the policy. */
export interface Decider {
  readonly kind: "policy" | "rule" | "folder" | "always" | "session" | "hook" | "allow";
  readonly detail: string;
}
const words: Readonly<Record<Decider["kind"], string>> = {
  policy: "policy",
  rule: "rule",
  folder: "protected folder",
  always: "always",
  session: "session",
  hook: "hook",
  allow: "--allow",
};
/** As the command line, the trace and the model are told: `policy`, `rule run_shell:git*`, `protected folder .git`. */
export const deciderText = ({ kind, detail }: Decider): string => `${words[kind]} ${detail}`.trimEnd();
