import { canonicalJson } from "../../shared/json.ts";
import type { AppView } from "../../shared/workspace.ts";
import type { Foundation } from "./foundation.ts";
import type { Dispose } from "./kit/disposable.ts";
import type { Topics } from "./topics.ts";

/** The topic `app`: told anew when the recent folders are others, whoever wrote them. */
export function followApp(
  { config, options }: Pick<Foundation, "config" | "options">,
  topics: Topics,
): Dispose {
  const view = (): AppView => ({
    version: options.version,
    shell: options.shell,
    recent: config.current.settings.recentFolders,
  });
  topics.define("app", view);
  let told = canonicalJson(view().recent);
  return config.onChange.on(() => {
    const now = canonicalJson(view().recent);
    if (now === told) return;
    told = now;
    topics.publish("app", { type: "app", app: view() });
  });
}
