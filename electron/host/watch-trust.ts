import path from "node:path";
import type { Foundation } from "./foundation.ts";
import type { Dispose } from "./kit/disposable.ts";
import { watchFolders } from "./kit/watch.ts";

/**
 * Takes in trust that another host gives or takes away, where nothing else is watched: what runs of the workspace ends
 * at once. Until it is stopped.
 */
export function watchTrust({ config, paths, log }: Pick<Foundation, "config" | "paths" | "log">): Dispose {
  const watching = watchFolders([paths.config, path.join(paths.data, "trust")], () => {
    config.reload().catch((error: unknown) => {
      log.error("a change of trust could not be taken in", { error: String(error) });
    });
  });
  return watching.stop;
}
