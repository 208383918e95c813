import { shallowRef, type ShallowRef } from "vue";

/** Things that are shown for a while, newest last. */
export interface TimedList<T> {
  readonly list: Readonly<ShallowRef<readonly (T & { readonly id: number })[]>>;
  /** Adds one; the oldest goes where there are more than `most`. */
  readonly add: (one: T) => void;
  /** Gives one its whole time again. */
  readonly renew: (id: number) => void;
  readonly dismiss: (id: number) => void;
  /** While true nothing ends by itself; then each has its whole time again. */
  readonly keep: (keep: boolean) => void;
}

/** @param lifetime how long each stands, in ms */
export function timedList<T extends object>(most: number, lifetime: number): TimedList<T> {
  let last = 0;
  let kept = false;
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  const list = shallowRef<readonly (T & { readonly id: number })[]>([]);
  const dismiss = (id: number): void => {
    clearTimeout(timers.get(id));
    timers.delete(id);
    list.value = list.value.filter((one) => one.id !== id);
  };
  const renew = (id: number): void => {
    clearTimeout(timers.get(id));
    if (!kept) timers.set(id, setTimeout(dismiss, lifetime, id));
  };
  return {
    list,
    dismiss,
    renew,
    add(one) {
      last += 1;
      list.value = [...list.value, { ...one, id: last }];
      for (const { id } of list.value.slice(0, -most)) dismiss(id);
      renew(last);
    },
    keep(keep) {
      kept = keep;
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      for (const { id } of list.value) renew(id);
    },
  };
}
