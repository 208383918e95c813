import { onScopeDispose, ref, shallowRef, watch, type Ref } from "vue";
import type { TrustReview } from "../../shared/contract/policy.ts";
import { pointerGuardMs } from "../../shared/approval-keys.ts";
import { NacreError } from "../../shared/errors.ts";
import { act } from "../failures.ts";
import { useRpc } from "../rpc.ts";
import { useWorkspace } from "./store.ts";

/** A grant lives for 10 minutes; it is taken anew before, in ms. */
const renewMs = 9 * 60_000;

/** What the folder declares as the window shows it, with the grant for exactly that. */
export interface ShownReview {
  /** Null until it is known, and while nothing waits. */
  readonly review: Readonly<Ref<TrustReview | null>>;
  /** It is not what was shown before. */
  readonly hasChanged: Readonly<Ref<boolean>>;
  /** It has stood for a moment: a press is meant for what is shown. */
  readonly isSettled: Readonly<Ref<boolean>>;
  /** Agrees to what a review showed; where the host refuses, as something changed since, that is shown instead. */
  spend(grant: string): Promise<void>;
}
/** Follows the declarations that wait, while the component lives. */
export function useTrustReview(): ShownReview {
  const rpc = useRpc();
  const store = useWorkspace();
  const review = shallowRef<TrustReview | null>(null);
  const hasChanged = ref(false);
  const isSettled = ref(false);
  let latest = 0;
  let settling: ReturnType<typeof setTimeout> | undefined;
  const settle = (): void => {
    isSettled.value = false;
    clearTimeout(settling);
    settling = setTimeout(() => void (isSettled.value = true), pointerGuardMs);
  };
  const take = async (): Promise<void> => {
    latest += 1;
    const mine = latest;
    if (store.trust.waiting.length === 0) {
      review.value = null;
      hasChanged.value = false;
      return;
    }
    const next = await rpc.call("trust.review", {});
    if (mine !== latest) return;
    const before = review.value;
    review.value = next;
    if (before !== null && JSON.stringify(before.declarations) === JSON.stringify(next.declarations)) return;
    hasChanged.value ||= before !== null;
    settle();
  };
  watch(
    () => store.trust,
    () => act(take),
    { immediate: true },
  );
  const renewal = setInterval(() => act(take), renewMs);
  onScopeDispose(() => {
    clearInterval(renewal);
    clearTimeout(settling);
  });
  return {
    review,
    hasChanged,
    isSettled,
    async spend(grant) {
      try {
        await rpc.call("trust.grant", { grant });
      } catch (error) {
        if (!(error instanceof NacreError) || error.code !== "denied") throw error;
        await take();
        hasChanged.value = true;
        settle();
      }
    },
  };
}
