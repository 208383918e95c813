import { Settings } from "@lucide/vue";
import { defineAsyncComponent } from "vue";
import type { SettingsTab } from "../app/settings-tab.ts";

export const settingsTabs: readonly SettingsTab[] = [
  {
    id: "general",
    order: 10,
    labelKey: "settings.tab.general",
    icon: Settings,
    component: defineAsyncComponent(() => import("./GeneralTab.vue")),
  },
];
