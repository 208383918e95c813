import {
  BookOpen,
  Bot,
  CodeXml,
  Cpu,
  Globe,
  Keyboard,
  Plug,
  Puzzle,
  Settings,
  ShieldCheck,
  Webhook,
} from "@lucide/vue";
import { defineAsyncComponent, h, type Component } from "vue";
import { countingServers } from "../app/counting-servers.ts";
import type { SettingsTab } from "../app/settings-tab.ts";

/** The tab of a room that this version only lists. */
const declaredTab = (room: "hooks" | "language"): Component =>
  defineAsyncComponent(async () => {
    const { default: DeclaredTab } = await import("./DeclaredTab.vue");
    return () => h(DeclaredTab, { room });
  });

/** The tabs of cli.md, in its order but for the groups of the look. */
export const settingsTabs: readonly SettingsTab[] = [
  {
    id: "general",
    order: 10,
    labelKey: "settings.tab.general",
    icon: Settings,
    component: defineAsyncComponent(() => import("./GeneralTab.vue")),
  },
  {
    id: "models",
    order: 20,
    labelKey: "settings.tab.models",
    icon: Cpu,
    component: defineAsyncComponent(() => import("./ModelsTab.vue")),
    count: ({ models }) => models.length,
  },
  {
    id: "skills",
    order: 30,
    labelKey: "settings.tab.skills",
    icon: BookOpen,
    component: defineAsyncComponent(() => import("./skills/SkillsTab.vue")),
    count: ({ skills }) => skills.length,
  },
  {
    id: "plugins",
    order: 40,
    labelKey: "settings.tab.plugins",
    icon: Puzzle,
    component: defineAsyncComponent(() => import("./PluginsTab.vue")),
    count: ({ plugins }) => plugins.length,
  },
  {
    id: "mcp",
    order: 50,
    labelKey: "settings.tab.mcp",
    icon: Plug,
    component: defineAsyncComponent(() => import("./mcp/McpTab.vue")),
    count: ({ mcp }) => countingServers(mcp).length,
  },
  {
    id: "agents",
    order: 60,
    labelKey: "settings.tab.agents",
    icon: Bot,
    component: defineAsyncComponent(() => import("./AgentsTab.vue")),
    count: ({ agents }) => agents.length,
  },
  {
    id: "hooks",
    order: 70,
    labelKey: "settings.tab.hooks",
    icon: Webhook,
    component: declaredTab("hooks"),
  },
  {
    id: "permissions",
    order: 80,
    labelKey: "settings.tab.permissions",
    icon: ShieldCheck,
    component: defineAsyncComponent(() => import("./PermissionsTab.vue")),
  },
  {
    id: "language",
    order: 90,
    labelKey: "settings.tab.language",
    icon: CodeXml,
    component: declaredTab("language"),
  },
  {
    id: "keys",
    order: 100,
    labelKey: "settings.tab.keys",
    icon: Keyboard,
    component: defineAsyncComponent(() => import("./KeysTab.vue")),
  },
  {
    id: "sources",
    order: 110,
    labelKey: "settings.tab.sources",
    icon: Globe,
    component: defineAsyncComponent(() => import("./SourcesTab.vue")),
  },
];
