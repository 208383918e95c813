import { BrowserWindow, dialog } from "electron";
import type { Dispose } from "../host/kit/disposable.ts";
import { bindChannel, type BoundHost, type ShellPorts } from "../host/rpc.ts";
import { appPage } from "./app-page.ts";
import { WindowChannel } from "./ipc.ts";
import { openLink } from "./open-link.ts";
import { webPreferences } from "./security.ts";

export interface WindowsOptions {
  readonly workspaces: { open(folder: string): Promise<BoundHost>; close(folder: string): Promise<void> };
  /** The built preload script. */
  readonly preload: string;
}

/** One window a folder. */
export class Windows {
  readonly #options: WindowsOptions;
  /** By the folder's real path. */
  readonly #windows = new Map<string, BrowserWindow>();

  constructor(options: WindowsOptions) {
    this.#options = options;
  }
  /**
   * Opens a folder in a window of its own, or shows the one that has it. Gives its real path.
   * @throws NacreError where the folder cannot be opened
   */
  async open(folder: string): Promise<string> {
    const host = await this.#options.workspaces.open(folder);
    const path = host.workspace;
    const shown = this.#windows.get(path);
    if (shown) {
      if (shown.isMinimized()) shown.restore();
      shown.focus();
      return path;
    }
    const window = this.#create(host);
    this.#windows.set(path, window);
    window.once("closed", () => {
      this.#windows.delete(path);
      this.#options.workspaces
        .close(path)
        .catch((error: unknown) => host.log.error("a folder could not be closed", { error: String(error) }));
    });
    try {
      await window.loadURL(`${appPage}index.html`);
    } catch (error) {
      // A window that is closed while it loads wants no page.
      if (!window.isDestroyed()) throw error;
    }
    return path;
  }
  /** Opens a folder and tells the person where that fails. */
  async openOrTell(folder: string): Promise<boolean> {
    try {
      await this.open(folder);
      return true;
    } catch (error) {
      dialog.showErrorBox(folder, error instanceof Error ? error.message : String(error));
      return false;
    }
  }
  /** Asks for a folder. Null where the person closed the dialog. */
  async pickFolder(): Promise<string | null> {
    const owner = BrowserWindow.getFocusedWindow();
    const options = {
      properties: ["openDirectory", "createDirectory"] as ("openDirectory" | "createDirectory")[],
    };
    const { filePaths } = await (owner
      ? dialog.showOpenDialog(owner, options)
      : dialog.showOpenDialog(options));
    return filePaths[0] ?? null;
  }
  /** Brings the window that was used last to the front. */
  show(): void {
    const window = BrowserWindow.getFocusedWindow() ?? [...this.#windows.values()].at(-1);
    if (window?.isMinimized()) window.restore();
    window?.focus();
  }
  #create(host: BoundHost): BrowserWindow {
    const window = new BrowserWindow({
      width: 1280,
      height: 840,
      minWidth: 480,
      minHeight: 400,
      show: false,
      title: "Nacre",
      webPreferences: webPreferences(this.#options.preload),
    });
    window.once("ready-to-show", () => window.show());
    const { webContents } = window;
    let release: Dispose = () => undefined;
    const bind = (): void => {
      void release();
      const channel = new WindowChannel(webContents);
      const unbind = bindChannel(channel, host, this.#shell());
      release = () => {
        channel.close();
        return unbind();
      };
    };
    // A page that is loaded again starts anew: what it had subscribed to ends.
    webContents.on("did-navigate", bind);
    webContents.on("render-process-gone", () => void release());
    webContents.once("destroyed", () => void release());
    return window;
  }
  #shell(): ShellPorts {
    return {
      pickFolder: () => this.pickFolder(),
      openFolder: async (folder) => {
        return { path: await this.open(folder), reload: false };
      },
      openLink,
    };
  }
}
