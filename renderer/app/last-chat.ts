import { readonly, ref, watch, type Ref } from "vue";
import { useRoute } from "./route.ts";

const last = ref<string | null>(null);

/** The chat that was open last in this window, or null; where the link "Chat" leads back to. */
export function useLastChat(): Readonly<Ref<string | null>> {
  const route = useRoute();
  watch(
    route,
    ({ room, id }) => {
      if (room === "chat") last.value = id;
    },
    { immediate: true },
  );
  return readonly(last);
}
