import { expect, it } from "vitest";
import { Listening, type ListeningPorts } from "./listening.ts";

type End = "local" | "graceful" | "remote";
const both = { tools: { listChanged: true }, prompts: { listChanged: true }, resources: {} };
/** A server's side: every stream that is opened waits to be ended, or is refused. */
function server(refusal?: Error) {
  const streams: { filter: object; end: (how: End) => void }[] = [];
  const told: string[] = [];
  let opened: () => void = () => undefined;
  const ports: ListeningPorts = {
    listen: (filter) => {
      if (refusal) return Promise.reject(refusal);
      let end: (how: End) => void = () => undefined;
      const closed = new Promise<End>((resolve) => (end = resolve));
      streams.push({ filter, end });
      opened();
      return Promise.resolve({ closed, close: () => Promise.resolve(end("local")) });
    },
    onGap: () => told.push("gap"),
    onNote: (text) => told.push(text),
  };
  const next = (): Promise<void> => new Promise((resolve) => (opened = resolve));
  return { ports, streams, told, next };
}

it("listens for the lists that the server tells of, again where the stream breaks off, and tells of the gap", async () => {
  const { ports, streams, told, next } = server();
  const listening = new Listening(both, ports, 1);
  expect(streams.map(({ filter }) => filter)).toEqual([{ toolsListChanged: true, promptsListChanged: true }]);
  const again = next();
  streams[0]?.end("remote");
  await again;
  await Promise.resolve();
  expect([streams.length, told]).toEqual([2, ["gap"]]);
  listening.close();
});
it("takes resources in and out, without a gap", async () => {
  const { ports, streams, told, next } = server();
  const listening = new Listening({}, ports, 1);
  expect(streams).toEqual([]);
  listening.watch("a://1", true);
  expect(streams[0]?.filter).toEqual({ resourceSubscriptions: ["a://1"] });
  await Promise.resolve();
  const second = next();
  listening.watch("a://2", true);
  await second;
  expect(streams[1]?.filter).toEqual({ resourceSubscriptions: ["a://1", "a://2"] });
  await Promise.resolve();
  expect(told).toEqual([]);
  listening.close();
});
it("is content with a server that knows no such request", async () => {
  const { ports, told, streams } = server(Object.assign(new Error("unknown"), { code: -32601 }));
  const listening = new Listening(both, ports, 1);
  await expect.poll(() => told).toEqual(["the server tells of no changes: unknown"]);
  expect(streams).toEqual([]);
  listening.close();
});
