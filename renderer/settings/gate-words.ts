import type { ApprovalPolicy, PermissionClass, RuleAnswer, SandboxPolicy } from "../../shared/policy.ts";

/** What an action touches; a key of `settings.gate.where`. */
type GatePlace = "inside" | "outside" | "confined" | "unconfined" | "destructive" | "any";
export interface GateLine {
  readonly perm: PermissionClass;
  readonly where: GatePlace;
  readonly answer: RuleAnswer;
}
export interface GateChoice {
  readonly sandbox: SandboxPolicy;
  readonly approval: ApprovalPolicy;
  /** The OS sandbox of this computer; null where none works. */
  readonly sandboxKind: string | null;
}
type Verdict = "ok" | "upgrade" | "reject";

/** Class by place under each sandbox policy (spec 4, the first table), for settings as they ship. */
const verdicts: Readonly<Record<SandboxPolicy, readonly [PermissionClass, GatePlace, Verdict][]>> = {
  read_only: [
    ["read", "inside", "ok"],
    ["read", "outside", "upgrade"],
    ["write", "any", "reject"],
    ["shell", "any", "reject"],
    ["net", "any", "reject"],
  ],
  workspace_write: [
    ["read", "inside", "ok"],
    ["read", "outside", "upgrade"],
    ["write", "inside", "ok"],
    ["write", "outside", "upgrade"],
    ["shell", "confined", "ok"],
    ["shell", "destructive", "upgrade"],
    ["net", "any", "upgrade"],
  ],
  full_access: [
    ["read", "any", "ok"],
    ["write", "any", "ok"],
    ["shell", "any", "ok"],
    ["shell", "destructive", "upgrade"],
    ["net", "any", "ok"],
  ],
};
/** Approval policy by verdict; under `always` only reads that are ok pass. */
function answer(approval: ApprovalPolicy, verdict: Verdict, perm: PermissionClass): RuleAnswer {
  if (verdict === "reject") return "deny";
  if (verdict === "ok") return approval === "always" && perm !== "read" ? "ask" : "allow";
  return approval === "never" ? "deny" : "ask";
}

/** What happens to each kind of action before any rule, in words: the gate's two tables for this choice. */
export const gateLines = ({ sandbox, approval, sandboxKind }: GateChoice): GateLine[] =>
  verdicts[sandbox].map(([perm, where, verdict]) =>
    where === "confined" && sandboxKind === null
      ? { perm, where: "unconfined", answer: answer(approval, "upgrade", perm) }
      : { perm, where, answer: answer(approval, verdict, perm) },
  );
