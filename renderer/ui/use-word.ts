import { useI18n } from "vue-i18n";

/** A message where there is one of that key, else the host's own word. Call in a component's setup. */
export function useWord(): (key: string, word: string) => string {
  const i18n = useI18n();
  return (key, word) => (i18n.te(key) || i18n.te(key, "en") ? i18n.t(key) : word);
}
