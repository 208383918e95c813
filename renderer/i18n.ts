import { createI18n } from "vue-i18n";
import enApp from "./locales/en/app.json";
import enChat from "./locales/en/chat.json";
import enFaults from "./locales/en/faults.json";
import enMarket from "./locales/en/market.json";
import enSettings from "./locales/en/settings.json";
import enUi from "./locales/en/ui.json";
import zhApp from "./locales/zh/app.json";
import zhChat from "./locales/zh/chat.json";
import zhFaults from "./locales/zh/faults.json";
import zhMarket from "./locales/zh/market.json";
import zhSettings from "./locales/zh/settings.json";
import zhUi from "./locales/zh/ui.json";

export type Locale = "en" | "zh";
/** What `<html lang>` says, for fonts, line breaks and screen readers. */
export const languageTags: Readonly<Record<Locale, string>> = { en: "en", zh: "zh-CN" };

/** One namespace a room. */
export const messages = {
  en: { app: enApp, chat: enChat, faults: enFaults, market: enMarket, settings: enSettings, ui: enUi },
  zh: { app: zhApp, chat: zhChat, faults: zhFaults, market: zhMarket, settings: zhSettings, ui: zhUi },
} as const;

/** The language of a setting; `system` is the first one of the system's that the app speaks, else English. */
export function resolveLocale(setting: "system" | Locale, languages: readonly string[]): Locale {
  if (setting !== "system") return setting;
  const known = languages
    .map((tag) => tag.toLowerCase().split("-")[0])
    .find((tag) => tag === "zh" || tag === "en");
  return known === "zh" ? "zh" : "en";
}

export const createMessages = (locale: Locale) =>
  createI18n({ legacy: false, locale, fallbackLocale: "en", messages });
