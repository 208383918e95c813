import { expect, it } from "vitest";
import { boundedFetch } from "./bounded-fetch.ts";

const answering = (type: string, ...chunks: string[]) => {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(Buffer.from(chunk));
    },
  });
  return boundedFetch(
    () =>
      Promise.resolve(new Response(body, { status: 201, headers: { "content-type": type, "x-own": "1" } })),
    20,
  );
};
const read = async (fetch: typeof globalThis.fetch): Promise<string> => (await fetch("http://h")).text();

it("gives an answer as it came, with its status and headers", async () => {
  const answer = await answering("application/json", '{"a":', "1}")("http://h");
  expect([answer.status, answer.headers.get("x-own"), await answer.text()]).toEqual([201, "1", '{"a":1}']);
});
it("ends one that is too large", async () => {
  await expect(read(answering("application/json", "x".repeat(15), "y".repeat(15)))).rejects.toThrow(
    "more than",
  );
});
it("lets a stream go on without end, and no event of it", async () => {
  const events = Array.from({ length: 100 }, (_, n) => `data: ${n}\n\n`);
  expect(await read(answering("text/event-stream", ...events))).toBe(events.join(""));
  expect(await read(answering("text/event-stream", "data: 1\r\n", "\r\ndata: 2\r", "\n\r\n"))).toContain(
    "data: 2",
  );
  const endless = Array.from({ length: 10 }, () => "data: 1\n");
  await expect(read(answering("text/event-stream", ...endless))).rejects.toThrow("more than");
});
