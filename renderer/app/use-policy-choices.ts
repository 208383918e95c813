import { computed, type ComputedRef } from "vue";
import { useI18n } from "vue-i18n";
import {
  approvalPolicies,
  sandboxPolicies,
  type ApprovalPolicy,
  type SandboxPolicy,
} from "../../shared/policy.ts";

/** One policy that can be chosen, in words. */
export interface PolicyChoice<T extends string> {
  readonly id: T;
  readonly label: string;
  readonly detail: string;
  /** What it gives up; absent where it lowers no guard. */
  readonly mark?: string;
}

/** The policies of spec 4 in the page's words; what lowers a guard is marked (spec 8). Call in a component's setup. */
export function usePolicyChoices(): {
  readonly approvals: ComputedRef<readonly PolicyChoice<ApprovalPolicy>[]>;
  readonly sandboxes: ComputedRef<readonly PolicyChoice<SandboxPolicy>[]>;
} {
  const { t } = useI18n();
  return {
    approvals: computed(() =>
      approvalPolicies.map((id) => ({
        id,
        label: t(`chat.approvals.${id}`),
        detail: t(`chat.approvals.${id}_detail`),
        ...(id === "never" ? { mark: t("ui.mark.never") } : {}),
      })),
    ),
    sandboxes: computed(() =>
      sandboxPolicies.map((id) => ({
        id,
        label: t(`chat.sandbox.${id}`),
        detail: t(`chat.sandbox.${id}_detail`),
        ...(id === "full_access" ? { mark: t("ui.mark.full_access") } : {}),
      })),
    ),
  };
}
