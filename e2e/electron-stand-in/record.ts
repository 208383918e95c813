/** One call that a real Electron would have handed to the system. */
export interface Recorded {
  readonly api: string;
  readonly args: readonly unknown[];
}
const calls: Recorded[] = [];

/** Notes a call; what JSON cannot say of its arguments is left out. */
export function record(api: string, ...args: readonly unknown[]): void {
  calls.push({ api, args: JSON.parse(JSON.stringify(args)) as unknown[] });
}
/** All calls so far; tests read it as `electron.standIn.calls()`. */
export const recorded = (): readonly Recorded[] => calls;
