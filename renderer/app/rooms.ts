import { MessageSquare, SlidersHorizontal, Store } from "@lucide/vue";
import { defineAsyncComponent, type Component } from "vue";
import ChatView from "../chat/ChatView.vue";
import type { RoomId } from "./route.ts";

/** A place of the main navigation. Chat is there at once; the others load when first shown. */
export interface Room {
  readonly id: RoomId;
  readonly labelKey: string;
  readonly icon: Component;
  readonly component: Component;
}
export const rooms: readonly Room[] = [
  { id: "chat", labelKey: "app.nav.chat", icon: MessageSquare, component: ChatView },
  {
    id: "market",
    labelKey: "app.nav.market",
    icon: Store,
    component: defineAsyncComponent(() => import("../market/MarketView.vue")),
  },
  {
    id: "settings",
    labelKey: "app.nav.settings",
    icon: SlidersHorizontal,
    component: defineAsyncComponent(() => import("../settings/SettingsView.vue")),
  },
];
