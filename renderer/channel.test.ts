import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { socketChannel, takeToken, type LinkState } from "./channel.ts";

class FakeSocket extends EventTarget {
  readonly sent: string[] = [];
  closed = false;
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.closed = true;
  }
  lose(code: number): void {
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
}
let sockets: FakeSocket[] = [];
let states: LinkState[] = [];
const start = () => {
  const channel = socketChannel("ws://host", "secret", () => {
    const socket = new FakeSocket();
    sockets.push(socket);
    return socket as Partial<WebSocket> as WebSocket;
  });
  return channel.start({ message: () => undefined, state: (state) => void states.push(state) });
};
beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  states = [];
});
afterEach(() => vi.useRealTimers());

test("the first message is the token", () => {
  start();
  sockets[0]?.dispatchEvent(new Event("open"));
  expect(sockets[0]?.sent).toEqual(['{"token":"secret"}']);
  expect(states).toEqual(["open"]);
});

test("a broken connection is tried again, each time later, and at once after a good one", () => {
  start();
  sockets[0]?.lose(1006);
  vi.advanceTimersByTime(250);
  expect(sockets).toHaveLength(2);
  sockets[1]?.lose(1006);
  vi.advanceTimersByTime(499);
  expect(sockets).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(sockets).toHaveLength(3);
  sockets[2]?.dispatchEvent(new Event("open"));
  sockets[2]?.lose(1006);
  vi.advanceTimersByTime(250);
  expect(sockets).toHaveLength(4);
  expect(states).toEqual(["lost", "lost", "open", "lost"]);
});

test("a refused token is not tried again", () => {
  start();
  sockets[0]?.lose(4401);
  vi.advanceTimersByTime(60_000);
  expect(sockets).toHaveLength(1);
  expect(states).toEqual(["refused"]);
});

test("stopping closes and does not come back", () => {
  const stop = start();
  stop();
  sockets[0]?.lose(1000);
  vi.advanceTimersByTime(60_000);
  expect(sockets[0]?.closed).toBe(true);
  expect(sockets).toHaveLength(1);
  expect(states).toEqual([]);
});

test("the token leaves the address and survives a reload", () => {
  location.hash = "#token=abc-1_2";
  expect(takeToken()).toBe("abc-1_2");
  expect(location.hash).toBe("#/chat");
  expect(takeToken()).toBe("abc-1_2");
});
