import { describe, expect, it } from "vitest";
import { EventStream } from "./event-stream.ts";

const read = (pieces: readonly Uint8Array[]): string[] => {
  const stream = new EventStream();
  return [...pieces.flatMap((piece) => stream.push(piece)), ...stream.end()];
};
const text =
  'data: {"a":"日本"}\n\n: a comment\nevent: x\nid: 3\ndata:two\ndata: lines\n\n\ndata: [DONE]\n\n';
const found = ['{"a":"日本"}', "two\nlines", "[DONE]"];

describe("EventStream", () => {
  it.each(["\n", "\r\n", "\r"])("reads events whose lines end with %j, however the bytes are cut", (end) => {
    const bytes = Buffer.from(text.replaceAll("\n", end));
    expect(read([bytes])).toEqual(found);
    expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(found);
    for (let at = 1; at < bytes.length; at += 1)
      expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(found);
  });
  it("takes a byte order mark, and a last event without its empty line", () => {
    expect(read([Buffer.from("\uFEFFdata: a\n\ndata: b")])).toEqual(["a", "b"]);
  });
  it("gives an event as soon as it is whole", () => {
    const stream = new EventStream();
    expect(stream.push(Buffer.from("data: a\n"))).toEqual([]);
    expect(stream.push(Buffer.from("\ndata: b"))).toEqual(["a"]);
  });
});
