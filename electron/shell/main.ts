import { statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { app, Menu, safeStorage, session } from "electron";
import { appPaths } from "../host/config/paths.ts";
import { readRecentFolders } from "../host/config/recent-folders.ts";
import { Workspaces } from "../host/hosts.ts";
import { loginPath, startedByLauncher } from "../host/kit/login-path.ts";
import { killAllProcesses } from "../host/kit/process.ts";
import { createSecretStore } from "../host/secrets.ts";
import { menuTemplate } from "./menu.ts";
import { guardSession, prepareSecurity } from "./security.ts";
import { withSafeStorage } from "./safe-store.ts";
import { showFile } from "./show-file.ts";
import { helperStarter } from "./start-helper.ts";
import { requestedFolder, startFolder } from "./start-folder.ts";
import { Windows } from "./window.ts";

/** The desktop app: one instance, one window a folder. Paths of built files are taken from this entry's folder. */
const { env } = process;
const built = __dirname;
const paths = appPaths(env, homedir(), process.platform);
const requested = requestedFolder({
  argv: process.argv,
  isPackaged: app.isPackaged,
  cwd: process.cwd(),
  env,
});

let asked: Promise<string | undefined> | undefined;
/** Asked once, while the window opens; what starts a program waits for it. */
const shellPath = (report: (text: string) => void): Promise<string | undefined> =>
  (asked ??= loginPath({ env, home: homedir(), cacheFolder: paths.cache, now: Date.now, report }));

function start(): void {
  const secrets = withSafeStorage({
    keyring: createSecretStore(),
    cipher: safeStorage,
    file: path.join(paths.data, "secrets.json"),
    platform: process.platform,
  });
  const workspaces = new Workspaces({
    env,
    paths,
    version: __NACRE_VERSION__,
    shell: "desktop",
    canAsk: true,
    secrets,
    built,
    programs: {
      startHelper: helperStarter(path.join(built, "helper.cjs")),
      showFile: (file, what) => showFile(file, what),
      ...(startedByLauncher(env, process.platform, process.stdin.isTTY) && { loginPath: shellPath }),
    },
  });
  const windows = new Windows({ workspaces, preload: path.join(built, "../preload/preload.cjs") });
  const pickAndOpen = async (): Promise<void> => {
    const folder = await windows.pickFolder();
    if (folder !== null) await windows.openOrTell(folder);
  };
  const isFolder = (folder: string): boolean =>
    statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  const openFirst = async (): Promise<void> => {
    const recent = await readRecentFolders(paths);
    const opened = await windows.openOrTell(startFolder(requested, recent, homedir(), isFolder));
    if (!opened) app.exit(1);
  };

  app.on("second-instance", (_event, _argv, _cwd, data) => {
    const folder = (data as { folder?: unknown } | null)?.folder;
    if (typeof folder === "string") void windows.openOrTell(folder);
    else windows.show();
  });
  app.on("window-all-closed", () => {
    if (process.platform !== "darwin") app.quit();
  });
  app.on("activate", (_event, hasVisibleWindows) => {
    if (!hasVisibleWindows) void openFirst();
  });

  // Windows are closed by now; what the hosts started ends before the app does.
  let stopped = false;
  app.on("will-quit", (event) => {
    if (stopped) return;
    event.preventDefault();
    const quit = (): void => {
      stopped = true;
      app.quit();
    };
    workspaces.stop().then(quit, (error: unknown) => {
      console.error(error);
      quit();
    });
  });

  void app.whenReady().then(async () => {
    guardSession(session.defaultSession, path.join(built, "../renderer"));
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(
        menuTemplate({
          platform: process.platform,
          locale: app.getLocale(),
          onOpenFolder: () => void pickAndOpen(),
        }),
      ),
    );
    await openFirst();
  });
}

// However this process ends, no child of it goes on.
process.on("exit", killAllProcesses);
prepareSecurity();
// The window's own files lie with Nacre's, so that NACRE_DATA_DIR moves them too.
app.setPath("userData", path.join(paths.data, "window"));
if (app.requestSingleInstanceLock({ folder: requested ?? null })) start();
else app.quit();
