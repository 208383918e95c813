import { EventEmitter } from "node:events";
import type { IpcMainEvent, WebFrameMain } from "electron";
import { expect, test } from "vitest";
import { isOurs } from "./app-page.ts";
import { channels } from "./channels.ts";
import { WindowChannel, type PageContents } from "./ipc.ts";

const frame = (url: string, parent: unknown = null): Pick<IpcMainEvent, "senderFrame"> => ({
  senderFrame: { url, parent } as WebFrameMain,
});
const ours = frame("app://bundle/index.html");

test.each([
  ["our page", ours, true],
  ["a frame inside it", frame("app://bundle/index.html", {}), false],
  ["another host of the scheme", frame("app://bundle.evil/index.html"), false],
  ["another host that begins alike", frame("app://bundleevil/"), false],
  ["the web", frame("https://bundle/"), false],
  ["an empty page", frame("about:blank"), false],
  ["a frame that is gone", { senderFrame: null }, false],
])("%s may speak to the host: %s", (_name, event, expected) => {
  expect(isOurs(event)).toBe(expected);
});

/** What a channel uses of a page. */
const contentsOf = (): { contents: PageContents; ipc: EventEmitter; sent: unknown[]; gone: () => void } => {
  const ipc = new EventEmitter();
  const sent: unknown[] = [];
  let destroyed = false;
  const contents = {
    ipc,
    send: (channel: string, message: unknown) => sent.push([channel, message]),
    isDestroyed: () => destroyed,
  };
  return {
    contents,
    ipc,
    sent,
    gone: () => {
      destroyed = true;
    },
  };
};
test("messages pass both ways until the channel is closed, foreign ones never", () => {
  const { contents, ipc, sent } = contentsOf();
  const channel = new WindowChannel(contents);
  const received: unknown[] = [];
  let closed = 0;
  channel.onMessage((message) => received.push(message));
  channel.onClose(() => (closed += 1));
  ipc.emit(channels.toHost, ours, { id: 1 });
  ipc.emit(channels.toHost, frame("https://evil.example/"), { id: 2 });
  expect(received).toEqual([{ id: 1 }]);
  const answer = { id: 1, result: { ok: true, value: null } } as const;
  channel.send(answer);
  expect(sent).toEqual([[channels.toWindow, answer]]);
  channel.close();
  channel.close();
  channel.send(answer);
  ipc.emit(channels.toHost, ours, { id: 3 });
  expect(closed).toBe(1);
  expect(sent).toHaveLength(1);
  expect(received).toHaveLength(1);
  expect(ipc.listenerCount(channels.toHost)).toBe(0);
});
test("a page that is gone is not spoken to", () => {
  const { contents, sent, gone } = contentsOf();
  const channel = new WindowChannel(contents);
  gone();
  channel.send({ id: 1, result: { ok: true, value: null } });
  channel.close();
  expect(sent).toEqual([]);
});
