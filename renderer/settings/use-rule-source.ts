import { useI18n } from "vue-i18n";
import { visibleText } from "../../shared/visible-text.ts";
import type { RuleSource } from "./rule-groups.ts";

/** Where a rule comes from, in the page's words: the file with its path, the role, the person's own answer. */
export function useRuleSource(): (from: RuleSource) => string {
  const { t } = useI18n();
  return ({ kind, detail, role }) => {
    const words = t(`settings.rules.source.${kind}`, { detail: visibleText(detail) });
    return role === null || kind === "role"
      ? words
      : t("settings.rules.source.for_role", { source: words, role: visibleText(role) });
  };
}
