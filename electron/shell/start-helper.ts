import { utilityProcess } from "electron";
import type { StartHelper } from "../host/kit/helper/start-helper.ts";
import { signalQuietly } from "../host/kit/process-group.ts";

/**
 * How the desktop starts the helper: as a utility process, for the app's own executable does not run as Node (the fuse
 * runAsNode is off). After `ready` only, as Electron has it. @param entry `helper.cjs`
 */
export const helperStarter =
  (entry: string): StartHelper =>
  (env) => {
    const helper = utilityProcess.fork(entry, [], { env, stdio: "ignore", serviceName: "Nacre helper" });
    return {
      // Chromium ends its utility processes when their channel to the app breaks.
      mayEndWithHost: true,
      ended: new Promise((resolve) => helper.once("exit", () => resolve())),
      kill: () => void (helper.pid !== undefined && signalQuietly(helper.pid, "SIGKILL")),
    };
  };
