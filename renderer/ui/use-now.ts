import { onScopeDispose, readonly, ref, type Ref } from "vue";

/** The time in ms since the epoch, renewed every `everyMs` while the component lives. */
export function useNow(everyMs: number): Readonly<Ref<number>> {
  const now = ref(Date.now());
  const timer = setInterval(() => void (now.value = Date.now()), everyMs);
  onScopeDispose(() => clearInterval(timer));
  return readonly(now);
}
