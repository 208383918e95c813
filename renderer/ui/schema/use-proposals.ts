import { onScopeDispose, shallowRef } from "vue";

/** How long nothing was typed before somebody is asked, in ms. */
const quiet = 150;

/** Values that are proposed while a field is written: the last question wins, and asks once the writer pauses. */
export function useProposals(propose: (typed: string) => Promise<readonly string[]>) {
  const values = shallowRef<readonly string[]>([]);
  let last = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async (typed: string, own: number): Promise<void> => {
    try {
      const found = await propose(typed);
      if (own === last) values.value = found;
    } catch {
      // A proposal that cannot be had is none: whoever writes did not ask for it, and the next key asks again.
      if (own === last) values.value = [];
    }
  };
  const want = (typed: string): void => {
    clearTimeout(timer);
    last += 1;
    timer = setTimeout(() => void ask(typed, last), quiet);
  };
  onScopeDispose(() => {
    clearTimeout(timer);
    last += 1;
  });
  return { values, want };
}
