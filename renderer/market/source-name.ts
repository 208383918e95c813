import { useI18n } from "vue-i18n";

/** Names a source: the one that ships with the app in words, any other by its id. Call in a component's setup. */
export function useSourceName(): (id: string) => string {
  const { t } = useI18n();
  return (id) => (id === "builtin" ? t("market.source.builtin") : id);
}
