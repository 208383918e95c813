import { shallowRef } from "vue";
import { toErrorValue, type ErrorCode } from "../shared/errors.ts";

/** An action that the host refused or could not do, until the person dismisses it. */
interface Failure {
  readonly id: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** More than this would cover the page; the oldest goes. */
const most = 3;
let last = 0;
const list = shallowRef<readonly Failure[]>([]);
export const failures = list;

/** Shows what went wrong with an action. */
export function reportFailure(thrown: unknown): void {
  const { code, message } = toErrorValue(thrown);
  last += 1;
  list.value = [
    ...list.value.filter((failure) => failure.message !== message),
    { id: last, code, message },
  ].slice(-most);
}

export const dismissFailure = (id: number): void =>
  void (list.value = list.value.filter((failure) => failure.id !== id));

/** Runs an action of a person; what it throws is shown, never lost. */
export function act(action: () => Promise<unknown>): void {
  action().catch(reportFailure);
}
