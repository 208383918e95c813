import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import * as z from "zod/mini";
import type { Dispose } from "../host/kit/disposable.ts";
import { closeCodes, readMessage, SocketChannel } from "./socket-channel.ts";

export interface SocketOptions {
  /** `http://127.0.0.1:PORT`: the only page that may connect. */
  readonly origin: string;
  /** The secret that the first message must carry. */
  readonly token: string;
  readonly onChannel: (channel: SocketChannel) => void;
  /** How long a socket may stay without its token. */
  readonly tokenMs?: number;
  /** Time between pings; a socket that has not answered the last one is ended. */
  readonly pingMs?: number;
}
const maxPayloadBytes = 8 * 1024 * 1024;
const closeMs = 1_000;

const firstMessage = z.object({ token: z.string() });
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Takes WebSocket connections of our own page: Host (421) and Origin (403) are checked before the handshake, the token
 * as the first message, `{"token": …}` (4401 otherwise).
 * @returns how to end all of them; resolves when they are closed
 */
export function acceptSockets(server: Server, options: SocketOptions): Dispose {
  const { origin, token, onChannel, tokenMs = 5_000, pingMs = 30_000 } = options;
  const { host } = new URL(origin);
  const expected = digest(token);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxPayloadBytes });
  const waiting = new Set<WebSocket>();

  const admit = (socket: WebSocket): void => {
    const patience = setTimeout(() => socket.close(closeCodes.badToken, "no token came"), tokenMs);
    socket.once("close", () => clearTimeout(patience));
    // An error (too large a message, a reset) is followed by `close`, which tells the channel.
    socket.on("error", () => undefined);
    socket.once("message", (data, isBinary) => {
      clearTimeout(patience);
      const first = z.safeParse(firstMessage, readMessage(data, isBinary)).data;
      if (first && timingSafeEqual(digest(first.token), expected)) onChannel(new SocketChannel(socket));
      else socket.close(closeCodes.badToken, "wrong token");
    });
    socket.on("pong", () => waiting.delete(socket));
  };
  const upgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    if (request.headers.host !== host) refuse(stream, "421 Misdirected Request");
    else if (request.headers.origin !== origin) refuse(stream, "403 Forbidden");
    else sockets.handleUpgrade(request, stream, head, admit);
  };
  const beat = setInterval(() => {
    for (const socket of sockets.clients) {
      if (waiting.has(socket)) {
        waiting.delete(socket);
        socket.terminate();
      } else {
        waiting.add(socket);
        socket.ping();
      }
    }
  }, pingMs);
  server.on("upgrade", upgrade);
  return async () => {
    server.off("upgrade", upgrade);
    clearInterval(beat);
    await Promise.all([...sockets.clients].map(end));
  };
}

function refuse(stream: Duplex, status: string): void {
  stream.on("error", () => stream.destroy());
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function end(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => socket.terminate(), closeMs);
    socket.once("close", () => {
      clearTimeout(impatience);
      resolve();
    });
    socket.close(closeCodes.goingAway, "Nacre stops");
  });
}
