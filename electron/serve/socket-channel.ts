import type { RawData, WebSocket } from "ws";
import type { ToWindow } from "../../shared/topic.ts";
import type { Dispose } from "../host/kit/disposable.ts";
import { Emitter } from "../host/kit/emitter.ts";
import type { Channel } from "../host/rpc.ts";

/** Why the server ends a socket; the page words each. 1001 is WebSocket's own, the others are ours. */
export const closeCodes = { goingAway: 1001, badMessage: 4400, badToken: 4401 } as const;

/** The messages of one admitted WebSocket, as JSON text. What is no JSON ends it. */
export class SocketChannel implements Channel {
  readonly #socket: WebSocket;
  readonly #messages = new Emitter<unknown>();
  readonly #closed = new Emitter<void>();

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data, isBinary) => {
      const message = readMessage(data, isBinary);
      if (message === undefined) socket.close(closeCodes.badMessage, "a message was no JSON text");
      else this.#messages.emit(message);
    });
    socket.once("close", () => this.#closed.emit());
  }
  /** Does nothing once the socket is closing: nobody reads it. */
  send(message: ToWindow): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }
  onMessage(listener: (message: unknown) => void): Dispose {
    return this.#messages.on(listener);
  }
  unsent(): number {
    return this.#socket.bufferedAmount;
  }
  onClose(listener: () => void): Dispose {
    return this.#closed.on(listener);
  }
}

/** The JSON value of a text message; undefined for anything else. */
export function readMessage(data: RawData, isBinary: boolean): unknown {
  // With the default binaryType every message is one Buffer.
  if (isBinary || !Buffer.isBuffer(data)) return undefined;
  try {
    return JSON.parse(data.toString("utf8"));
  } catch {
    return undefined;
  }
}
