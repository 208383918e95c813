import type { Foundation } from "./foundation.ts";
import type { Dispose } from "./kit/disposable.ts";
import { watchFolders } from "./kit/watch.ts";
import type { Rooms } from "./rooms.ts";

/** Takes in what changes in the files of configuration, skills, plugins and roles, until it is stopped. */
export function watchFiles(
  { config, diagnostics, log }: Foundation,
  { skills, plugins, roles, mcp }: Rooms,
): Dispose {
  const folders = (): string[] => [
    ...config.watchedFolders(),
    ...skills.watchedFolders(),
    ...roles.watchedFolders(),
    ...plugins.watchedFolders(),
  ];
  const takeIn = async (): Promise<void> => {
    await config.reload();
    await plugins.reload();
    await Promise.all([skills.reload(), roles.reload(), mcp.reload()]);
    watching.update(folders());
  };
  const watching = watchFolders(
    folders(),
    () =>
      void takeIn().catch((error: unknown) =>
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
