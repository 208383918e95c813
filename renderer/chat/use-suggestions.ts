import { computed, onScopeDispose, shallowRef, watch } from "vue";
import type { SkillSuggestion } from "../../shared/skills.ts";
import { useRpc } from "../rpc.ts";

/** How long nothing was typed before the host is asked, in ms. */
const quiet = 200;
/** Of a longer text its end, where somebody types. */
const longest = 10_000;

/**
 * Skills that fit a text that is being written. `text` is null where none are wanted. The last question wins; what was
 * dismissed does not come again until the draft is another one.
 */
export function useSuggestions(text: () => string | null, sessionId: () => string | null) {
  const rpc = useRpc();
  const found = shallowRef<readonly SkillSuggestion[]>([]);
  const dismissed = shallowRef<ReadonlySet<string>>(new Set());
  let asked = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;

  const clear = (): void => {
    asked = "";
    last += 1;
    found.value = [];
  };
  const ask = async (wanted: string): Promise<void> => {
    const own = (last += 1);
    asked = wanted;
    try {
      const answer = await rpc.call("skills.suggest", { text: wanted, sessionId: sessionId() });
      if (own === last) found.value = answer ?? [];
    } catch {
      // A suggestion that cannot be had is none: whoever writes did not ask for one, and the next key asks again.
      if (own === last) clear();
    }
  };
  watch(
    text,
    (now) => {
      clearTimeout(timer);
      const wanted = now?.trim().slice(-longest) ?? "";
      if (wanted === "") {
        if (now !== null) dismissed.value = new Set();
        return clear();
      }
      if (wanted !== asked) timer = setTimeout(() => void ask(wanted), quiet);
    },
    { immediate: true },
  );
  watch(sessionId, () => {
    dismissed.value = new Set();
    clear();
  });
  onScopeDispose(() => {
    clearTimeout(timer);
    last += 1;
  });
  return {
    shown: computed(() => found.value.filter(({ id }) => !dismissed.value.has(id)).slice(0, 3)),
    dismiss: (id: string) => void (dismissed.value = new Set([...dismissed.value, id])),
  };
}
