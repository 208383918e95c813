import type { Codec } from "./codec.ts";

/**
 * What a sandboxed preload script finds: `require("electron")` with `contextBridge` and `ipcRenderer`, nothing else.
 * The source runs in the page's isolated world.
 */
export function preloadWorld(
  { encode, decode }: Codec,
  expose: (key: string, api: object) => void,
  sendToMain: (text: string) => void,
) {
  type Listener = (event: unknown, ...args: unknown[]) => void;
  type Message = { channel: string; args: unknown[] };
  const listeners = new Map<string, Listener[]>();
  const of = (channel: string): Listener[] => listeners.get(channel) ?? [];
  const ipcRenderer = {
    send: (channel: string, ...args: unknown[]): void => sendToMain(encode({ channel, args })),
    on: (channel: string, listener: Listener) => {
      listeners.set(channel, [...of(channel), listener]);
      return ipcRenderer;
    },
    off: (channel: string, listener: Listener) => {
      const rest = of(channel).filter((other) => other !== listener);
      listeners.set(channel, rest);
      return ipcRenderer;
    },
  };
  const electron = { ipcRenderer, contextBridge: { exposeInMainWorld: expose } };
  return {
    require: (name: string): unknown => {
      if (name === "electron" || name === "electron/renderer") return electron;
      throw new Error(`module not found: ${name}`);
    },
    deliver: (text: string): void => {
      const { channel, args } = decode(text) as Message;
      for (const listener of of(channel)) listener({ sender: ipcRenderer }, ...args);
    },
  };
}
