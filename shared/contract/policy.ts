import * as z from "zod/mini";
import type { Because } from "../approval.ts";
import type { Decider } from "../decider.ts";
import { approvalPolicies, sandboxPolicies, type PermissionClass } from "../policy.ts";
import type { DeclarationRow } from "../workspace.ts";
import { method } from "./method.ts";

/**
 * What starts a process or changes trust takes two calls: `…review` makes a one-time grant in the host, bound to the
 * digest of what is shown; the second call spends it. A grant is gone when what it names has changed.
 */
export interface TrustReview {
  readonly grant: string;
  readonly workspace: string;
  readonly declarations: readonly DeclarationRow[];
}
/** What would decide about a call that nobody makes (`nacre doctor --explain`, the settings panel). */
export interface ExplanationView {
  readonly decision: "allow" | "ask" | "deny";
  readonly decider: Decider;
  /** The same in words: `policy`, `rule run_shell:git*`, `protected folder .git`, …. */
  readonly by: string;
  readonly rule?: string;
  /** Where the rule stands: `settings`, `dropstone:<path>`, `role:<name>`, `always` or `session` for an answer of the user's. */
  readonly source?: string;
  readonly perm: PermissionClass;
  /** What gave the tool its class, where that is not its kind: `autoApprove of <file>`. */
  readonly permFrom?: string;
  readonly because: readonly Because[];
  /** Where the call's paths really lead. */
  readonly paths: readonly {
    readonly given: string;
    readonly real: string;
    readonly access: "read" | "write";
    readonly protectedFolder: string | null;
  }[];
  readonly hosts: readonly string[];
  /** The parts of a shell command, each of which a rule has to allow; the whole text where it cannot be taken apart. */
  readonly parts: readonly string[];
  readonly confined: boolean;
}
export const policyContract = {
  "approvals.answer": method(
    z.object({
      id: z.string(),
      /** The digest that the card showed: an answer to anything else is refused. */
      digest: z.string(),
      choice: z.enum(["once", "session", "always", "deny"]),
      note: z.optional(z.string()),
    }),
  ).returns<null>(),
  /** Answers a question of `ask_user`. */
  "questions.answer": method(z.object({ id: z.string(), text: z.string() })).returns<null>(),
  "trust.review": method(z.object({})).returns<TrustReview>(),
  "trust.grant": method(z.object({ grant: z.string() })).returns<null>(),
  "trust.revoke": method(z.object({})).returns<null>(),
  "settings.set": method(
    z.object({
      model: z.optional(z.nullable(z.string())),
      approval: z.optional(z.enum(approvalPolicies)),
      sandbox: z.optional(z.enum(sandboxPolicies)),
      theme: z.optional(z.enum(["system", "light", "dark"])),
      locale: z.optional(z.enum(["system", "en", "zh"])),
      /** One more folder that may be written in; `~/` counts. */
      addRoot: z.optional(z.string()),
      /** A folder that may no longer be written in. */
      removeRoot: z.optional(z.string()),
      networkAccess: z.optional(z.boolean()),
      pluginNetwork: z.optional(z.boolean()),
      carefulAfterOutsideText: z.optional(z.boolean()),
    }),
  ).returns<null>(),
  /** Which rule or policy would decide about a call. Runs nothing. */
  "policy.explain": method(
    z.object({
      tool: z.string(),
      input: z.record(z.string(), z.unknown()),
      /** As if text from outside had reached the model. */
      outsideText: z.optional(z.boolean()),
    }),
  ).returns<ExplanationView>(),
  /** The last lines that a background command wrote, at most 64 Ki characters of them. */
  "background.output": method(z.object({ id: z.string(), lines: z.number() })).returns<{ output: string }>(),
  "background.stop": method(z.object({ id: z.string() })).returns<null>(),
  /** Removes a stored "always here" rule. */
  "rules.remove": method(z.object({ tool: z.string(), pattern: z.string() })).returns<null>(),
} as const;
