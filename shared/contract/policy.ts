import * as z from "zod/mini";
import { approvalPolicies, sandboxPolicies } from "../policy.ts";
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
    }),
  ).returns<null>(),
  /** Removes a stored "always here" rule. */
  "rules.remove": method(z.object({ tool: z.string(), pattern: z.string() })).returns<null>(),
} as const;
