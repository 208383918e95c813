import path from "node:path";
import { canonicalJson } from "../../shared/json.ts";
import type { Foundation } from "./foundation.ts";
import type { Dispose } from "./kit/disposable.ts";
import { watchFolders } from "./kit/watch.ts";
import type { Rooms } from "./rooms.ts";

/**
 * Takes in what changes in the files of configuration, skills, plugins and roles, until it is stopped. Only who has
 * something in a folder that changed looks at it again.
 */
export function watchFiles(
  { config, diagnostics, log }: Pick<Foundation, "config" | "diagnostics" | "log">,
  { skills, plugins, roles, mcp }: Pick<Rooms, "skills" | "plugins" | "roles" | "mcp">,
): Dispose {
  const folders = (): string[] => [
    ...config.watchedFolders(),
    ...skills.watchedFolders(),
    ...roles.watchedFolders(),
    ...plugins.watchedFolders(),
  ];
  const takeIn = async (changed: ReadonlySet<string>): Promise<void> => {
    const has = (watched: readonly string[]): boolean =>
      watched.some((folder) => changed.has(path.resolve(folder)));
    const changedConfig = has(config.watchedFolders());
    let changedSkills = has(skills.watchedFolders());
    // A plugin answers for every file below its folder: its approval is bound to them.
    const changedPlugins = holds(plugins.watchedFolders(), changed);
    const changedRoles = has(roles.watchedFolders());
    if (changedConfig) {
      const before = canonicalJson(config.current.settings.skills);
      await config.reload();
      changedSkills ||= canonicalJson(config.current.settings.skills) !== before;
    }
    if (changedPlugins) await plugins.reload();
    await Promise.all([
      changedSkills ? skills.reload() : undefined,
      changedRoles ? roles.reload() : undefined,
      changedConfig || changedPlugins ? mcp.reload() : undefined,
    ]);
    watching.update(folders());
  };
  const watching = watchFolders(
    folders(),
    (changed) =>
      void takeIn(changed).catch((error: unknown) =>
        log.error("a changed file could not be taken in", { error: String(error) }),
      ),
    {
      onFallback: (reason) =>
        diagnostics.set("watch", [
          {
            code: "watch-fallback",
            severity: "warning",
            message: `the system has no file watches left (${reason}); folders are looked at every 5 seconds`,
          },
        ]),
    },
  );
  return watching.stop;
}

/** Whether a changed folder is one of these or lies below one. */
const holds = (folders: readonly string[], changed: ReadonlySet<string>): boolean =>
  folders.some((folder) => {
    const own = path.resolve(folder);
    return [...changed].some((other) => other === own || other.startsWith(own + path.sep));
  });
