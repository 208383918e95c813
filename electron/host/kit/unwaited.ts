import { toErrorValue } from "../../../shared/errors.ts";
import type { Dispose } from "./disposable.ts";
import type { Logger } from "./log.ts";

/**
 * Work that nobody waits for but who stops it: what goes wrong in it stands in the log, and rejects nowhere.
 * @param failed The log's line.
 */
export function unwaited(work: Promise<unknown>, failed: string, log: Pick<Logger, "error">): Dispose {
  const done = work.then(
    () => undefined,
    (error: unknown) => log.error(failed, { error: toErrorValue(error).message }),
  );
  return () => done;
}
