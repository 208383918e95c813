import type { Dispose } from "../kit/disposable.ts";
import type { Logger } from "../kit/log.ts";
import type { SkillManager } from "./manager.ts";

/** Long after a window has opened: what lies in the trash waits for nobody. */
const delayMs = 60_000;

/** Takes out of the trash what is too old, once. Disposing takes that back, or waits for it. */
export function sweepTrashLater(manager: () => Promise<SkillManager>, log: Pick<Logger, "error">): Dispose {
  let running: Promise<void> | undefined;
  const sweep = async (): Promise<void> => {
    try {
      await (await manager()).sweep();
    } catch (error) {
      log.error("the trash could not be swept", { error: String(error) });
    }
  };
  const timer = setTimeout(() => {
    running = sweep();
  }, delayMs);
  timer.unref();
  return async () => {
    clearTimeout(timer);
    await running;
  };
}
