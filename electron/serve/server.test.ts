import http from "node:http";
import type { Server } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Dispose } from "../host/kit/disposable.ts";
import { fileListener, listenOnLoopback } from "./http.ts";
import type { SocketChannel } from "./socket-channel.ts";
import { acceptSockets } from "./websocket.ts";

const token = "right-token";
let server: Server;
let origin: string;
let port: number;
let stop: Dispose;
let channels: SocketChannel[];
const errors: unknown[] = [];

/** With times so long that a busy machine ends no socket, but where a test is about them. */
function accept(times: { tokenMs?: number; pingMs?: number } = {}): void {
  stop = acceptSockets(server, {
    origin,
    token,
    onChannel: (channel) => channels.push(channel),
    ...times,
  });
}
beforeEach(async () => {
  ({ server, port } = await listenOnLoopback(0));
  origin = `http://127.0.0.1:${port}`;
  channels = [];
  const files = (
    pathname: string,
  ): Promise<{ body: Buffer; headers: Record<string, string> } | undefined> => {
    if (pathname === "/broken") return Promise.reject(new Error("disk"));
    const found =
      pathname === "/" ? { body: Buffer.from("page"), headers: { "content-length": "4" } } : undefined;
    return Promise.resolve(found);
  };
  server.on(
    "request",
    fileListener(origin, files, (error) => errors.push(error)),
  );
  accept();
});
afterEach(async () => {
  await stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const get = (options: http.RequestOptions): Promise<{ status: number; text: string; allow: unknown }> =>
  new Promise((resolve, reject) => {
    http
      .request({ host: "127.0.0.1", port, path: "/", ...options }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text, allow: response.headers.allow }),
        );
      })
      .on("error", reject)
      .end();
  });
interface Ending {
  readonly code: number;
  readonly status: number | undefined;
}
/** Connects, sends what is given and tells how the connection ended. */
const ending = (headers: Record<string, string>, ...messages: (string | Buffer)[]): Promise<Ending> =>
  new Promise((resolve) => {
    const socket = new WebSocket(origin.replace("http", "ws"), { headers: { origin, ...headers } });
    let status: number | undefined;
    socket.on("unexpected-response", (_request, response) => {
      status = response.statusCode;
      socket.terminate();
    });
    socket.on("error", () => undefined);
    socket.on("open", () => messages.forEach((message) => socket.send(message)));
    socket.on("close", (code) => resolve({ code, status }));
  });
const admitted = async (): Promise<WebSocket> => {
  const socket = new WebSocket(origin.replace("http", "ws"), { headers: { origin } });
  await new Promise((resolve) => socket.once("open", resolve));
  socket.send(JSON.stringify({ token }));
  await expect.poll(() => channels.length).toBe(1);
  return socket;
};

test("files come by GET and HEAD", async () => {
  expect(await get({})).toMatchObject({ status: 200, text: "page" });
  expect(await get({ method: "HEAD" })).toMatchObject({ status: 200, text: "" });
  expect(await get({ path: "/nothing?x" })).toMatchObject({ status: 404 });
  expect(await get({ method: "POST" })).toMatchObject({ status: 405, allow: "GET, HEAD" });
  expect(await get({ path: "http://evil.example/" })).toMatchObject({ status: 404 });
  expect(await get({ path: "/broken" })).toMatchObject({ status: 500 });
  expect(errors).toHaveLength(1);
});
test.each(["evil.example", "localhost", "127.0.0.1", "127.0.0.1:1"])(
  "the host %s is misdirected",
  async (host) => {
    expect(await get({ headers: { host } })).toMatchObject({ status: 421 });
    expect((await ending({ host }, JSON.stringify({ token }))).status).toBe(421);
  },
);
test("a page of another origin cannot connect, nor can a program without one", async () => {
  expect((await ending({ origin: "http://evil.example" })).status).toBe(403);
  expect((await ending({ origin: origin.replace("127.0.0.1", "localhost") })).status).toBe(403);
  expect((await ending({ origin: "null" })).status).toBe(403);
  expect(channels).toHaveLength(0);
});
test.each([
  ["a wrong token", '{"token":"wrong"}'],
  ["no JSON", "right-token"],
  ["another message", '{"id":1,"method":"x","input":{}}'],
  ["binary", Buffer.from(JSON.stringify({ token }))],
])("%s as the first message closes the socket", async (_name, message) => {
  expect((await ending({}, message)).code).toBe(4401);
  expect(channels).toHaveLength(0);
});
test("a silent socket is closed", async () => {
  await stop();
  accept({ tokenMs: 50 });
  expect((await ending({})).code).toBe(4401);
});
test("after the token messages pass both ways, also what came right behind it", async () => {
  const socket = new WebSocket(origin.replace("http", "ws"), { headers: { origin } });
  const answers: unknown[] = [];
  socket.on("message", (data) => answers.push(JSON.parse((data as Buffer).toString())));
  await new Promise((resolve) => socket.once("open", resolve));
  socket.send(JSON.stringify({ token }));
  await expect.poll(() => channels.length).toBe(1);
  const received: unknown[] = [];
  channels[0]?.onMessage((message) => received.push(message));
  socket.send('{"id":1}');
  await expect.poll(() => received).toEqual([{ id: 1 }]);
  channels[0]?.send({ id: 1, result: { ok: true, value: null } });
  await expect.poll(() => answers).toEqual([{ id: 1, result: { ok: true, value: null } }]);
  socket.terminate();
});
test("an answered ping keeps a socket, one that is not ends it", async () => {
  await stop();
  accept({ pingMs: 50 });
  const socket = await admitted();
  let pings = 0;
  socket.on("ping", () => (pings += 1));
  await expect.poll(() => pings).toBeGreaterThan(3);
  expect(socket.readyState).toBe(socket.OPEN);
  let closed = false;
  channels[0]?.onClose(() => (closed = true));
  socket.pause();
  await expect.poll(() => closed).toBe(true);
  socket.terminate();
});
test("what is no JSON or too large ends the socket and tells its channel", async () => {
  let closed = 0;
  const socket = await admitted();
  channels[0]?.onClose(() => (closed += 1));
  const code = new Promise((resolve) => socket.once("close", resolve));
  socket.send("nonsense");
  expect(await code).toBe(4400);
  await expect.poll(() => closed).toBe(1);
  channels[0]?.send({ id: 1, result: { ok: true, value: null } });
  expect((await ending({}, JSON.stringify({ token }), "x".repeat(8 * 1024 * 1024 + 1))).code).toBe(1009);
});
test("stopping closes every socket with a reason", async () => {
  const socket = await admitted();
  const code = new Promise((resolve) => socket.once("close", resolve));
  await stop();
  expect(await code).toBe(1001);
});
test("a port that is taken is named", async () => {
  await expect(listenOnLoopback(port)).rejects.toMatchObject({
    code: "unavailable",
    message: `port ${port} is used by another program: choose another one with --port`,
  });
});
