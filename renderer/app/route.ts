import { readonly, ref, type DeepReadonly, type Ref } from "vue";

const roomIds = ["chat", "market", "settings"] as const;
export type RoomId = (typeof roomIds)[number];
/** What the window shows, kept in the address: `#/chat/ID`, `#/market/ITEM`, `#/settings/TAB`. */
export interface Route {
  readonly room: RoomId;
  /** A session, a catalog item or a tab; null for the room's front page. */
  readonly id: string | null;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // Someone typed a lone `%`: what stands there is the id.
    return text;
  }
};

/** An unknown address is the chat. The id may hold slashes. */
export function parseRoute(hash: string): Route {
  const [, name, id] = /^#\/([a-z]+)(?:\/(.+))?$/.exec(hash) ?? [];
  const room = roomIds.find((known) => known === name);
  if (!room) return { room: "chat", id: null };
  return { room, id: id === undefined ? null : decoded(id) };
}

export const routeHash = (room: RoomId, id: string | null = null): string =>
  id === null ? `#/${room}` : `#/${room}/${encodeURIComponent(id)}`;

const current = ref<Route>(parseRoute(location.hash));

/** The current route; changes with the address. */
export const useRoute = (): DeepReadonly<Ref<Route>> => readonly(current);

/** Goes to another place; `replace` leaves no step to go back to. */
export function navigate(room: RoomId, id: string | null = null, how: "push" | "replace" = "push"): void {
  const hash = routeHash(room, id);
  if (how === "push") history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
  current.value = { room, id };
}

/** Follows the address: links, the back button, a typed address. Answers how to stop. */
export function watchAddress(): () => void {
  const read = (): void => void (current.value = parseRoute(location.hash));
  read();
  window.addEventListener("hashchange", read);
  window.addEventListener("popstate", read);
  return () => {
    window.removeEventListener("hashchange", read);
    window.removeEventListener("popstate", read);
  };
}
