import { EventEmitter } from "node:events";
import type {
  CustomScheme,
  Dialog,
  MenuItemConstructorOptions,
  SafeStorage,
  Session,
  Shell,
  WebContents,
} from "electron";
import { app } from "./app.ts";
import { record } from "./record.ts";
import { handleScheme, registerSchemes } from "./schemes.ts";

type Permission = Parameters<NonNullable<Parameters<Session["setPermissionRequestHandler"]>[0]>>[1];
interface Handlers {
  request: Parameters<Session["setPermissionRequestHandler"]>[0];
  check: Parameters<Session["setPermissionCheckHandler"]>[0];
  device: Parameters<Session["setDevicePermissionHandler"]>[0];
}
const permissions: Handlers = { request: null, check: null, device: null };

export const protocol = {
  registerSchemesAsPrivileged(schemes: CustomScheme[]): void {
    if (app.isReady())
      throw new Error("protocol.registerSchemesAsPrivileged should be called before app is ready");
    registerSchemes(schemes);
  },
};
const defaultSession = Object.assign(new EventEmitter(), {
  protocol: { handle: handleScheme },
  setPermissionRequestHandler: (handler: Handlers["request"]): void => {
    permissions.request = handler;
  },
  setPermissionCheckHandler: (handler: Handlers["check"]): void => {
    permissions.check = handler;
  },
  setDevicePermissionHandler: (handler: Handlers["device"]): void => {
    permissions.device = handler;
  },
});
export const session = {
  get defaultSession() {
    app.needReady("Session can only be received");
    return defaultSession;
  },
};
/** What the app's own handlers say to a permission; without one everything is granted. */
export async function askPermission(name: Permission, contents: WebContents): Promise<boolean> {
  const checked = permissions.check?.(contents, name, "", { isMainFrame: true }) ?? true;
  const details = { isMainFrame: true, requestingUrl: contents.getURL() };
  const asked = await new Promise<boolean>((resolve) => {
    if (permissions.request) permissions.request(contents, name, resolve, details);
    else resolve(true);
  });
  return checked && asked;
}
export const shell: Pick<Shell, "openExternal" | "openPath" | "showItemInFolder"> = {
  openExternal: (url) => Promise.resolve(record("shell.openExternal", url)),
  openPath(file) {
    record("shell.openPath", file);
    return Promise.resolve("");
  },
  showItemInFolder: (file) => record("shell.showItemInFolder", file),
};
/** A dialog that nobody answers is cancelled; tests put their answer in its place. */
export const dialog: Pick<Dialog, "showErrorBox"> & { showOpenDialog: () => Promise<Cancelled> } = {
  showErrorBox: (title, content) => record("dialog.showErrorBox", title, content),
  showOpenDialog: () => {
    record("dialog.showOpenDialog");
    return Promise.resolve({ canceled: true, filePaths: [] });
  },
};
interface Cancelled {
  readonly canceled: boolean;
  readonly filePaths: readonly string[];
}
let menu: { items: MenuItemConstructorOptions[] } | null = null;
export const Menu = {
  buildFromTemplate: (items: MenuItemConstructorOptions[]) => ({ items }),
  setApplicationMenu(built: typeof menu): void {
    menu = built;
  },
  getApplicationMenu: () => menu,
};
const mark = "stand-in:";
export const safeStorage: Pick<
  SafeStorage,
  "isEncryptionAvailable" | "getSelectedStorageBackend" | "encryptString" | "decryptString"
> = {
  isEncryptionAvailable: () => true,
  getSelectedStorageBackend: () => "gnome_libsecret",
  encryptString: (text) => Buffer.from(mark + Buffer.from(text).toString("base64")),
  decryptString: (encrypted) =>
    Buffer.from(encrypted.toString().slice(mark.length), "base64").toString("utf8"),
};
