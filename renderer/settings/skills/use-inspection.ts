import { computed, shallowRef, watch, type ComputedRef, type Ref } from "vue";
import { toErrorValue } from "../../../shared/errors.ts";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import type { SkillExplanation, SkillInspection } from "../../../shared/skills.ts";
import { useWorkspace } from "../../app/store.ts";
import { useRpc } from "../../rpc.ts";

/** What the host tells of one skill, asked again whenever a row of its name is another one. */
export interface Inspection {
  /** Null until the host has answered. */
  readonly detail: Readonly<Ref<SkillInspection | null>>;
  readonly explanation: Readonly<Ref<SkillExplanation | null>>;
  readonly failure: Readonly<Ref<string>>;
  readonly reload: () => Promise<void>;
}

export function useInspection(row: () => SkillRow): Inspection {
  const rpc = useRpc();
  const store = useWorkspace();
  const detail = shallowRef<SkillInspection | null>(null);
  const explanation = shallowRef<SkillExplanation | null>(null);
  const failure = shallowRef("");
  let asked = 0;
  /** Says the same while nothing has changed that an answer depends on, however often the list is sent. */
  const state: ComputedRef<string> = computed(() => {
    const { id, name } = row();
    return JSON.stringify([id, store.skills.filter((one) => one.name === name), store.settings?.rules]);
  });
  const reload = async (): Promise<void> => {
    const own = ++asked;
    const { id, name } = row();
    try {
      const [shown, explained] = await Promise.all([
        rpc.call("skills.show", { id }),
        rpc.call("skills.explain", { name }),
      ]);
      if (own !== asked) return;
      detail.value = shown;
      explanation.value = explained;
      failure.value = "";
    } catch (thrown) {
      if (own !== asked) return;
      failure.value = toErrorValue(thrown).message;
    }
  };
  watch(state, reload, { immediate: true });
  return { detail, explanation, failure, reload };
}
