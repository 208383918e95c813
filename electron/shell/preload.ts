import { contextBridge, ipcRenderer, type IpcRendererEvent } from "electron";
import { channels } from "./channels.ts";

/** All that a page gets: messages to the host and messages from it. The host validates every one. */
contextBridge.exposeInMainWorld("nacre", {
  send: (message: unknown): void => ipcRenderer.send(channels.toHost, message),
  /** @returns how to stop listening */
  onMessage: (listener: (message: unknown) => void): (() => void) => {
    const forward = (_event: IpcRendererEvent, message: unknown): void => listener(message);
    ipcRenderer.on(channels.toWindow, forward);
    return () => void ipcRenderer.off(channels.toWindow, forward);
  },
});
