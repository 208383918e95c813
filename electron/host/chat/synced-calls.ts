import type { CallRunner } from "./turn.ts";

/** The same calls; what the record holds is on the disk before an action runs that a person approved (architecture, Records). */
export function syncedCalls(calls: CallRunner, sync: () => void): CallRunner {
  return {
    execute: (call, hooks, signal) => {
      let waited = false;
      const onState = (state: "waiting" | "running"): void => {
        if (state === "running" && waited) sync();
        waited = state === "waiting";
        hooks.onState?.(state);
      };
      return calls.execute(call, { ...hooks, onState }, signal);
    },
    isReadOnly: (call) => calls.isReadOnly?.(call),
    isOutside: (result) => calls.isOutside?.(result),
  };
}
