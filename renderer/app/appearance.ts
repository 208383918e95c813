import { watchEffect } from "vue";
import type { SettingsView } from "../../shared/workspace.ts";
import { languageTags, resolveLocale, type Locale } from "../i18n.ts";

const key = "nacre.appearance";
type Appearance = Pick<SettingsView, "theme" | "locale">;

/** The appearance of the last visit, so that the first paint is not in another theme or language. */
export function lastAppearance(): Appearance {
  const [theme, locale] = (localStorage.getItem(key) ?? "").split(" ");
  return {
    theme: theme === "light" || theme === "dark" ? theme : "system",
    locale: locale === "en" || locale === "zh" ? locale : "system",
  };
}

/** Puts an appearance on the page and answers its language. */
export function applyAppearance({ theme, locale }: Appearance): Locale {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
  const language = resolveLocale(locale, navigator.languages);
  root.lang = languageTags[language];
  return language;
}

/** Keeps the page in the appearance of the settings. Call in a component's setup. */
export function followAppearance(settings: () => Appearance | null, speak: (locale: Locale) => void): void {
  watchEffect(() => {
    const appearance = settings();
    if (!appearance) return;
    localStorage.setItem(key, `${appearance.theme} ${appearance.locale}`);
    speak(applyAppearance(appearance));
  });
}
