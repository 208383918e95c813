import { onScopeDispose, shallowRef, watch, type ShallowRef } from "vue";
import { toErrorValue } from "../../shared/errors.ts";
import type { ExplanationView } from "../../shared/contract/policy.ts";
import type { Input } from "../../shared/contract/index.ts";
import { useRpc } from "../rpc.ts";

/** How long the typing has to rest before the host is asked, in ms. */
export const restMs = 250;

/**
 * What would decide about the call that `call` gives (null: none), asked anew once its answer may be another. An answer
 * to an older question is dropped; while one is awaited the last one stands. Call in a component's setup.
 */
export function useExplanation(
  call: () => Input<"policy.explain"> | null,
  also: () => unknown,
): { readonly view: ShallowRef<ExplanationView | null>; readonly error: ShallowRef<string | null> } {
  const rpc = useRpc();
  const view = shallowRef<ExplanationView | null>(null);
  const error = shallowRef<string | null>(null);
  let asked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const ask = async (): Promise<void> => {
    asked += 1;
    const turn = asked;
    const input = call();
    const tell = (found: ExplanationView | null, problem: string | null): void => {
      if (turn !== asked) return;
      view.value = found;
      error.value = problem;
    };
    if (input === null) return tell(null, null);
    try {
      tell(await rpc.call("policy.explain", input), null);
    } catch (thrown) {
      tell(null, toErrorValue(thrown).message);
    }
  };
  watch(
    [call, also],
    () => {
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), restMs);
    },
    { immediate: true },
  );
  onScopeDispose(() => {
    clearTimeout(timer);
    asked += 1;
  });
  return { view, error };
}
