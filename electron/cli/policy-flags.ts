import { parseApprovalPolicy, parseSandboxPolicy } from "../../shared/policy.ts";
import type { HostOptions } from "../host/host.ts";
import { UsageError, type Arguments, type FlagName } from "./arguments.ts";

/** The flags that say what may run, of `run`, `tools call` and `market install` (cli.md). */
export const policyFlags: readonly FlagName[] = ["approval", "sandbox", "allow"];

/** @throws UsageError naming the words */
export function policyOverrides(args: Arguments): Partial<HostOptions> {
  const approvalWord = args.text("approval");
  const approval = approvalWord === undefined ? undefined : parseApprovalPolicy(approvalWord);
  if (approvalWord !== undefined && !approval)
    throw new UsageError(`--approval is one of never, on_request, always, auto, not "${approvalWord}"`);
  const sandboxWord = args.text("sandbox");
  const sandbox = sandboxWord === undefined ? undefined : parseSandboxPolicy(sandboxWord);
  if (sandboxWord !== undefined && !sandbox)
    throw new UsageError(`--sandbox is one of read_only, workspace_write, full_access, not "${sandboxWord}"`);
  return {
    policy: {
      ...(approval ? { approval } : {}),
      ...(sandbox ? { sandbox } : {}),
      allow: args.list("allow"),
    },
  };
}
