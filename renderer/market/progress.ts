import { installSteps, type InstallStep, type InstallView } from "../../shared/market.ts";

/** One install as this window saw it. Times in ms since the epoch. */
export interface InstallRun {
  readonly view: InstallView;
  /** When each step began. */
  readonly begun: Readonly<Partial<Record<InstallStep, number>>>;
  /** When it came to its end; null while it runs. */
  readonly ended: number | null;
}
export interface StepRow {
  readonly step: InstallStep;
  readonly state: "done" | "running" | "stopped" | "waiting";
  /** Null where the window did not see it begin or end. */
  readonly ms: number | null;
}

/** What the host said of an install, added to what the window saw of it before. */
export function nextRun(before: InstallRun | undefined, view: InstallView, now: number): InstallRun {
  const isSameRun = before !== undefined && before.ended === null;
  const begun = isSameRun ? before.begun : {};
  return {
    view,
    begun: begun[view.step] === undefined ? { ...begun, [view.step]: now } : begun,
    ended: view.state === "running" ? null : now,
  };
}

/** The steps in order, with how each went. */
export function stepRows({ view, begun, ended }: InstallRun): StepRow[] {
  const at = installSteps.indexOf(view.step);
  const stateOf = (index: number): StepRow["state"] => {
    if (view.state === "done" || index < at) return "done";
    if (index > at) return "waiting";
    return view.state === "running" ? "running" : "stopped";
  };
  return installSteps.map((step, index) => {
    const start = begun[step];
    const following = installSteps.slice(index + 1).find((later) => begun[later] !== undefined);
    const end = (following && begun[following]) ?? ended;
    const ms = start === undefined || end === null || index > at ? null : Math.max(0, end - start);
    return { step, state: stateOf(index), ms };
  });
}

/** 0 to 100: the steps that are behind, and half of the one that runs. */
export function percentDone({ view }: InstallRun): number {
  if (view.state === "done") return 100;
  return Math.round(((installSteps.indexOf(view.step) + 0.5) / installSteps.length) * 100);
}
