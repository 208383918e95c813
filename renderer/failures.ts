import { toErrorValue, type ErrorValue } from "../shared/errors.ts";
import { timedList } from "./timed-list.ts";

/** More than this would cover the page; the oldest goes. */
const most = 3;
/** How long a failure stands, in ms. */
const lifetime = 10_000;
/** Actions that the host refused or could not do, until their time is over or the person dismisses them. */
const shown = timedList<Pick<ErrorValue, "code" | "message">>(most, lifetime);
export const failures = shown.list;
export const dismissFailure = shown.dismiss;
/** While true no failure ends by itself; then each has its whole time again. */
export const keepFailures = shown.keep;

/** Shows what went wrong with an action; the same again takes the place of the one that stands. */
export function reportFailure(thrown: unknown): void {
  const { code, message } = toErrorValue(thrown);
  const latest = failures.value.at(-1);
  if (latest?.code === code && latest.message === message) return shown.renew(latest.id);
  for (const failure of failures.value) if (failure.message === message) dismissFailure(failure.id);
  shown.add({ code, message });
}

/** Runs an action of a person; what it throws is shown, never lost. */
export function act(action: () => Promise<unknown>): void {
  action().catch(reportFailure);
}
