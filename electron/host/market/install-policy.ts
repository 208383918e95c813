import { NacreError } from "../../../shared/errors.ts";
import type { ApprovalPolicy, SandboxPolicy } from "../../../shared/policy.ts";

export interface InstallPolicy {
  readonly approval: ApprovalPolicy;
  readonly sandbox: SandboxPolicy;
}

/**
 * Whether a person may be asked for an install at all (spec 9). The review is the one approval: under `read_only`
 * nothing is written, and `never` denies what would ask. `--yes` answers the review and lifts neither.
 * @throws NacreError `denied`, with what to change
 */
export function assertMayInstall({ approval, sandbox }: InstallPolicy): void {
  if (sandbox === "read_only")
    throw new NacreError(
      "denied",
      "not installed: the policy read_only writes nothing; choose another sandbox",
    );
  if (approval === "never")
    throw new NacreError(
      "denied",
      'not installed: an install asks, and approval is "never": what would ask is denied; choose on_request',
    );
}
