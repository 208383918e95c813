import type { IpcMainEvent } from "electron";
import type { ToWindow } from "../../shared/topic.ts";
import type { Dispose } from "../host/kit/disposable.ts";
import { Emitter } from "../host/kit/emitter.ts";
import type { Channel } from "../host/rpc.ts";
import { isOurs } from "./app-page.ts";
import { channels } from "./channels.ts";

type Receive = (event: IpcMainEvent, message: unknown) => void;
/** What a channel uses of a `WebContents`. */
export interface PageContents {
  readonly ipc: {
    on(channel: string, listener: Receive): unknown;
    off(channel: string, listener: Receive): unknown;
  };
  send(channel: string, message: unknown): void;
  isDestroyed(): boolean;
}

/** The messages of one page in a window, from its load until it is loaded again or gone. */
export class WindowChannel implements Channel {
  readonly #contents: PageContents;
  readonly #messages = new Emitter<unknown>();
  readonly #closed = new Emitter<void>();
  readonly #receive: Receive = (event, message) => {
    if (isOurs(event)) this.#messages.emit(message);
  };
  #open = true;

  constructor(contents: PageContents) {
    this.#contents = contents;
    contents.ipc.on(channels.toHost, this.#receive);
  }
  send(message: ToWindow): void {
    if (this.#open && !this.#contents.isDestroyed()) this.#contents.send(channels.toWindow, message);
  }
  onMessage(listener: (message: unknown) => void): Dispose {
    return this.#messages.on(listener);
  }
  /** Electron does not tell how much of its pipe is unread. */
  unsent(): number {
    return 0;
  }
  onClose(listener: () => void): Dispose {
    return this.#closed.on(listener);
  }
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    if (!this.#contents.isDestroyed()) this.#contents.ipc.off(channels.toHost, this.#receive);
    this.#closed.emit();
  }
}
