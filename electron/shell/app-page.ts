import type { IpcMainEvent } from "electron";

/** The scheme that the renderer is served under, and where it lies. */
export const appScheme = "app";
/** The trailing slash keeps `app://bundle.evil` out. */
export const appPage = `${appScheme}://bundle/`;

/** Only the top frame of our own page speaks to the host. */
export function isOurs(event: Pick<IpcMainEvent, "senderFrame">): boolean {
  const frame = event.senderFrame;
  return frame !== null && frame.parent === null && frame.url.startsWith(appPage);
}
