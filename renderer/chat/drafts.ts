import { ref, shallowRef, watch, type Ref } from "vue";

/** Where the draft of a chat is kept; of the page without one under `new`. */
const keyOf = (sessionId: string | null): string => `nacre.draft.${sessionId ?? "new"}`;

/** What was written on the page without a chat goes on in the one that its first message has made. */
export function carryDraft(sessionId: string): void {
  const text = localStorage.getItem(keyOf(null));
  if (text === null) return;
  localStorage.setItem(keyOf(sessionId), text);
  localStorage.removeItem(keyOf(null));
}

const handed = shallowRef<{ readonly sessionId: string; readonly text: string } | null>(null);
/** Puts a text behind what is being written in a chat; the person sends it, or not. */
export function handDraft(sessionId: string, text: string): void {
  handed.value = { sessionId, text };
}

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
  watch(
    handed,
    (one) => {
      if (one?.sessionId !== sessionId()) return;
      draft.value = draft.value === "" ? one.text : `${draft.value}\n\n${one.text}`;
      handed.value = null;
    },
    { immediate: true },
  );
  return draft;
}
