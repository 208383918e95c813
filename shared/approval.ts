import type { PermissionClass } from "./policy.ts";

export type ApprovalChoice = "once" | "session" | "always" | "deny";

/** One line pair of the approval card. The label is the app's own word; values are what a machine reads. */
export interface ApprovalFact {
  /**
   * `target` is where the path before it really leads, told where that differs from the path as it was given;
   * `declared` names a declaration of the workspace or a skill, `change` a setting that would be another, `allows` a
   * rule that would hold, `skill` one that would be loaded, with the file of it that would be read.
   */
  readonly label:
    | "command"
    | "input"
    | "path"
    | "target"
    | "host"
    | "folder"
    | "diff"
    | "declared"
    | "change"
    | "allows"
    | "skill";
  /** One element an argument for `command`, one a path, host or change, else one element. */
  readonly values: readonly string[];
  /** What is too long for a card is cut: how many whole values and how many characters are left out. */
  readonly cut?: { readonly values: number; readonly characters: number };
}

/** A question to the user about one action (spec 4, Answers). Bound to `digest`, of the exact arguments. */
export interface ApprovalView {
  readonly id: string;
  readonly sessionId: string | null;
  readonly tool: string;
  /** The name people see: `mcp.github.search`. */
  readonly title: string;
  readonly origin: string;
  readonly perm: PermissionClass;
  readonly digest: string;
  readonly facts: readonly ApprovalFact[];
  /** Which rule or policy asked, in words' codes: see `Because`. */
  readonly because: readonly Because[];
  /** The rule that "always" would store, or null where always is not offered. */
  readonly rule: string | null;
  /** True where the focus starts on Deny: destructive, unconfined or protected. */
  readonly careful: boolean;
  readonly confined: boolean | null;
  readonly askedBy: string | null;
  readonly t: number;
}

/** Why an action asks; the renderer words it. `detail` is the path, host or pattern. */
export interface Because {
  readonly code:
    | "outside_workspace"
    | "protected_folder"
    | "secret_file"
    | "no_sandbox"
    | "destructive"
    | "network"
    | "policy_always"
    | "rule"
    | "write"
    | "shell"
    | "unconfined_retry"
    /** Text from outside reached the model in this turn: a remembered answer asks once more. */
    | "outside_text"
    /** The folder would be trusted; `detail` is its path. */
    | "trust"
    /** The policy would be widened; `detail` is what it would be. */
    | "widen_policy"
    /** A skill asks to use tools without being asked each time; `detail` is its name. */
    | "allowed_tools"
    | "install";
  readonly detail?: string;
}

export interface ApprovalAnswer {
  readonly choice: ApprovalChoice;
  /** A note to the model with a denial. */
  readonly note?: string;
}

/** Whether a question offers an answer: what is remembered needs a rule, and "this session" a session (spec 4, Answers). */
export const isOffered = (
  choice: ApprovalChoice,
  { rule, sessionId }: Pick<ApprovalView, "rule" | "sessionId">,
): boolean =>
  choice === "once" || choice === "deny" || (rule !== null && (choice === "always" || sessionId !== null));
