import { app, protocol, type Session, type WebContents, type WebPreferences } from "electron";
import { rendererFiles } from "../serve/renderer-files.ts";
import { appPage, appScheme } from "./app-page.ts";

// Every rule that holds for a window, in one place (spec 11): what a page may load, where it may go, what it may ask for
// and what of Electron it can reach. Links that leave the app are open-link.ts alone.

/** Before the app is ready: no Chromium child runs outside its sandbox, and our scheme behaves like https. */
export function prepareSecurity(): void {
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
  // Every page of the app, however it was made.
  app.on("web-contents-created", (_event, contents) => guardContents(contents));
}

export const webPreferences = (preload: string): WebPreferences => ({
  preload,
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
});

/** A page stays on our own origin, opens no window and holds no other page but the frame of an app. */
function guardContents(contents: WebContents): void {
  const stay = (event: {
    preventDefault(): void;
    url: string;
    frame?: { parent: { parent: unknown } | null } | null;
  }): void => {
    // What stands in an app's frame goes where that frame's policy lets it (app-frame.ts), which Chromium keeps.
    const inApp = (event.frame?.parent?.parent ?? null) !== null;
    if (!inApp && !event.url.startsWith(appPage)) event.preventDefault();
  };
  contents.on("will-navigate", stay);
  contents.on("will-redirect", stay);
  contents.on("will-frame-navigate", stay);
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: "deny" }));
}

/** Once the app is ready. Serves the renderer with its policy and refuses permissions, devices and downloads. */
export function guardSession(session: Session, rendererFolder: string): void {
  const files = rendererFiles(rendererFolder);
  session.protocol.handle(appScheme, async (request) => {
    const url = new URL(request.url);
    if (`${url.protocol}//${url.host}/` !== appPage) return new Response(null, { status: 403 });
    if (request.method !== "GET" && request.method !== "HEAD") return new Response(null, { status: 405 });
    const file = await files(url.pathname, url.search);
    return file
      ? new Response(new Uint8Array(file.body), { headers: file.headers })
      : new Response(null, { status: 404 });
  });
  // Copying a text is the one thing a page may do beside drawing; Chromium wants a click for it.
  const granted = (permission: string): boolean => permission === "clipboard-sanitized-write";
  session.setPermissionRequestHandler((_contents, permission, done) => done(granted(permission)));
  session.setPermissionCheckHandler((_contents, permission) => granted(permission));
  session.setDevicePermissionHandler(() => false);
  session.on("will-download", (event) => event.preventDefault());
}
