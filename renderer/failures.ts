import { shallowRef } from "vue";
import { toErrorValue, type ErrorCode } from "../shared/errors.ts";

/** An action that the host refused or could not do, until its time is over or the person dismisses it. */
interface Failure {
  readonly id: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** More than this would cover the page; the oldest goes. */
const most = 3;
/** How long a failure stands, in ms. */
const lifetime = 10_000;
let last = 0;
let kept = false;
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const list = shallowRef<readonly Failure[]>([]);
export const failures = list;

function endLater(id: number): void {
  clearTimeout(timers.get(id));
  if (!kept) timers.set(id, setTimeout(dismissFailure, lifetime, id));
}

/** While true no failure ends by itself; then each has its whole time again. */
export function keepFailures(keep: boolean): void {
  kept = keep;
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  for (const { id } of list.value) endLater(id);
}

/** Shows what went wrong with an action; the same again takes the place of the one that stands. */
export function reportFailure(thrown: unknown): void {
  const { code, message } = toErrorValue(thrown);
  const latest = list.value.at(-1);
  if (latest?.code === code && latest.message === message) return endLater(latest.id);
  last += 1;
  for (const failure of list.value) if (failure.message === message) dismissFailure(failure.id);
  list.value = [...list.value, { id: last, code, message }];
  for (const { id } of list.value.slice(0, -most)) dismissFailure(id);
  endLater(last);
}

export function dismissFailure(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  list.value = list.value.filter((failure) => failure.id !== id);
}

/** Runs an action of a person; what it throws is shown, never lost. */
export function act(action: () => Promise<unknown>): void {
  action().catch(reportFailure);
}
