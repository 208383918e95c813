import { ref, shallowRef, type Ref } from "vue";
import { toErrorValue } from "../../../shared/errors.ts";

/** What a person asked for, and what went wrong with it, for the place where it was pressed. */
export interface Action {
  readonly busy: Readonly<Ref<boolean>>;
  /** Empty where the last one went well. */
  readonly failure: Ref<string>;
  /** Runs one at a time; a press while another runs is none. True where it went well. */
  readonly run: (action: () => Promise<unknown>) => Promise<boolean>;
}

export function useAction(): Action {
  const busy = ref(false);
  const failure = shallowRef("");
  return {
    busy,
    failure,
    async run(action) {
      if (busy.value) return false;
      busy.value = true;
      try {
        await action();
        failure.value = "";
        return true;
      } catch (thrown) {
        failure.value = toErrorValue(thrown).message;
        return false;
      } finally {
        busy.value = false;
      }
    },
  };
}
