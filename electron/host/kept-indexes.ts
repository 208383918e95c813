import { toErrorValue } from "../../shared/errors.ts";
import type { Foundation } from "./foundation.ts";
import type { Dispose } from "./kit/disposable.ts";
import type { Logger } from "./kit/log.ts";
import type { Skills } from "./skills/skills.ts";

/** ms after a change, when a window and its watchers are set up. */
const saveDelay = 5_000;

export interface KeptIndexes {
  /** Keeps what was read of files for the next start. Never throws: what cannot be kept is told once. */
  save(): Promise<void>;
  readonly stop: Dispose;
}

/**
 * What was read of skill and role files, kept in the cache folder. A window keeps it also while it is open, as it may
 * be killed; nobody waits for it.
 */
export function keepIndexes(
  { log, diagnostics }: { readonly log: Logger } & Pick<Foundation, "diagnostics">,
  { skills, roles }: Record<"skills" | "roles", Pick<Skills, "saveIndex" | "onChange">>,
  inWindow: boolean,
): KeptIndexes {
  let timer: NodeJS.Timeout | undefined;
  let wasTold = false;
  const save = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const failed = (await Promise.allSettled([skills.saveIndex(), roles.saveIndex()])).find(
      ({ status }) => status === "rejected",
    );
    if (failed?.status !== "rejected" || wasTold) return;
    wasTold = true;
    const message = `what was read of skills and roles cannot be kept, so that each start reads all of it again: ${toErrorValue(failed.reason).message}`;
    log.warn(message);
    diagnostics.set("cache", [
      { code: "cache-not-written", severity: "warning", message, fix: "make the cache folder writable" },
    ]);
  };
  const later = (): void => {
    timer ??= setTimeout(() => void save(), saveDelay).unref();
  };
  const listening = inWindow ? [skills.onChange.on(later), roles.onChange.on(later)] : [];
  return {
    save,
    async stop() {
      clearTimeout(timer);
      for (const stop of listening) await stop();
    },
  };
}
