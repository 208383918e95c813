import { settingsTabs as own } from "../settings/tabs.ts";
import type { SettingsTab } from "./settings-tab.ts";

/** Every tab of the settings in order. A room that gets one adds its list here. */
export const settingsTabs: readonly SettingsTab[] = [...own].sort((a, b) => a.order - b.order);
