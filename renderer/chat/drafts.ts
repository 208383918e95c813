import { ref, watch, type Ref } from "vue";

/** Where the draft of a chat is kept; of the page without one under `new`. */
const keyOf = (sessionId: string | null): string => `nacre.draft.${sessionId ?? "new"}`;

/** The text that is being written, one for each chat; it survives a reload and a restart. */
export function useDraft(sessionId: () => string | null): Ref<string> {
  const draft = ref("");
  watch(sessionId, (id) => void (draft.value = localStorage.getItem(keyOf(id)) ?? ""), {
    immediate: true,
    flush: "sync",
  });
  watch(
    draft,
    (text) => {
      if (text === "") localStorage.removeItem(keyOf(sessionId()));
      else localStorage.setItem(keyOf(sessionId()), text);
    },
    { flush: "sync" },
  );
  return draft;
}
