import { expect, test } from "vitest";
import { approvalPolicies, sandboxPolicies } from "../../../shared/policy.ts";
import { assertMayInstall } from "./install-policy.ts";

test.each(approvalPolicies.flatMap((approval) => sandboxPolicies.map((sandbox) => ({ approval, sandbox }))))(
  "$approval, $sandbox",
  (policy) => {
    const denied = policy.approval === "never" || policy.sandbox === "read_only";
    if (denied) expect(() => assertMayInstall(policy)).toThrow(/^not installed: /);
    else expect(() => assertMayInstall(policy)).not.toThrow();
  },
);
