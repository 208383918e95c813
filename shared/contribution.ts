import type { Diagnostic } from "./diagnostic.ts";

export type ContributionKind = "skill" | "tool" | "mcp" | "hook" | "agent" | "lsp" | "dap" | "prompt";
export type Scope = "session" | "workspace" | "user" | "bundled" | "plugin";

/**
 * What an extension adds, as settings, doctor, status line and command line all see it (architecture, idea 1).
 * A projection of what a registry holds. `id` is `kind:owner/name`; `origin` says in words where it comes from.
 */
export interface Contribution {
  readonly id: string;
  readonly kind: ContributionKind;
  readonly name: string;
  readonly origin: string;
  readonly scope: Scope;
  readonly state: string;
  readonly enabled: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** `kind:owner/name`, the key of the switch store (spec 1). */
export const contributionId = (kind: ContributionKind, owner: string, name: string): string =>
  `${kind}:${owner}/${name}`;
