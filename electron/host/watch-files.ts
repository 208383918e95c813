import { setImmediate as nextTurn } from "node:timers/promises";
import path from "node:path";
import type { Foundation } from "./foundation.ts";
import type { Dispose } from "./kit/disposable.ts";
import { watchFolders, type WatchedFolder } from "./kit/watch.ts";
import type { Rooms } from "./rooms.ts";

/** ms: others who hear of a change of thousands of skills have the thread first. What happens meanwhile is not missed. */
const updateDelay = 25;

/**
 * Takes in what changes in the files of configuration, skills, plugins and roles, until it is stopped. Only who has
 * something in a folder that changed looks at it again.
 * @param since ms since the epoch, when the first of them was looked at: what changed since then is taken in, too.
 */
export function watchFiles(
  { config, diagnostics, log }: Pick<Foundation, "config" | "diagnostics" | "log">,
  { skills, plugins, roles, mcp }: Pick<Rooms, "skills" | "plugins" | "roles" | "mcp">,
  since: number,
): Dispose {
  const folders = (): WatchedFolder[] => [
    ...config.watched(),
    ...skills.watchedFolders(),
    ...roles.watchedFolders(),
    ...plugins.watchedFolders(),
  ];
  const failed = (error: unknown): void =>
    log.error("a changed file could not be taken in", { error: String(error) });
  // Whoever had the files read again: what changed is taken in by those whom it concerns.
  let before = config.current;
  let watchedSkills = skills.watchedFolders();
  let soon: NodeJS.Timeout | undefined;
  const listening = [
    config.onChange.on((after) => {
      const was = before;
      before = after;
      if (after.mcp !== was.mcp) void mcp.reload().catch(failed);
      if (after.settings.skills !== was.settings.skills) void skills.reload().catch(failed);
    }),
    // Other roots and other skills have other folders, whoever had them looked at.
    skills.onChange.on(() => {
      soon ??= setTimeout(() => {
        soon = undefined;
        const now = skills.watchedFolders();
        if (now !== watchedSkills) watching.update(folders(), skills.lookedAt());
        watchedSkills = now;
      }, updateDelay).unref();
    }),
  ];
  const takeIn = async (changed: ReadonlySet<string>): Promise<void> => {
    const began = Date.now();
    const has = (watched: readonly WatchedFolder[]): boolean =>
      watched.some((entry) => changed.has(path.resolve(typeof entry === "string" ? entry : entry.folder)));
    const changedSkills = has(skills.watchedFolders());
    // A plugin answers for every file below its folder: its approval is bound to them.
    const changedPlugins = holds(plugins.watchedFolders(), changed);
    const changedRoles = has(roles.watchedFolders());
    if (has(config.watched())) await config.reload();
    if (changedPlugins) await plugins.reload();
    await Promise.all([
      changedSkills ? skills.reload() : undefined,
      changedRoles ? roles.reload() : undefined,
      changedPlugins ? mcp.reload() : undefined,
    ]);
    // Whoever reads on has just told windows of what is new.
    await nextTurn();
    watching.update(folders(), began);
  };
  const watching = watchFolders([], (changed) => void takeIn(changed).catch(failed), {
    onFallback: (reason) =>
      diagnostics.set("watch", [
        {
          code: "watch-fallback",
          severity: "warning",
          message: `the system has no file watches left (${reason}); folders are looked at every 5 seconds`,
        },
      ]),
  });
  watching.update(folders(), since);
  return async () => {
    clearTimeout(soon);
    for (const stop of listening) await stop();
    await watching.stop();
  };
}

/** Whether a changed folder is one of these or lies below one. */
const holds = (folders: readonly string[], changed: ReadonlySet<string>): boolean =>
  folders.some((folder) => {
    const own = path.resolve(folder);
    return [...changed].some((other) => other === own || other.startsWith(own + path.sep));
  });
