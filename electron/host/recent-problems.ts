import type { Diagnostic } from "../../shared/diagnostic.ts";

/** More of them are read by nobody. */
const mostKept = 32;

/** Problems that calls meet, as they come; the newest are kept, the same one once. `show` gets the whole list. */
export function recentProblems(show: (list: readonly Diagnostic[]) => void): (problem: Diagnostic) => void {
  const kept = new Map<string, Diagnostic>();
  return (problem) => {
    const key = `${problem.code} ${problem.message}`;
    kept.delete(key);
    kept.set(key, problem);
    for (const oldest of [...kept.keys()].slice(0, -mostKept)) kept.delete(oldest);
    show([...kept.values()]);
  };
}
