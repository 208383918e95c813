import { NacreError } from "../../../shared/errors.ts";

/** Of one answer, and of one event in a stream of them, bytes: as much as a local server may send in one message. */
const largestMessage = 64 * 1024 * 1024;
/** Events in 100 ms; what is over waits in the connection, and the server with it. */
const eventsAtOnce = 1000;
const span = 100;
const lineFeed = 0x0a;

/**
 * A `fetch` whose answers end where they are without end: a remote server neither fills the host's memory nor holds its
 * thread. @param most bytes of an answer that is no stream, and of one event of a stream; the body fails with `unavailable` above
 */
export function boundedFetch(fetch: typeof globalThis.fetch, most = largestMessage): typeof globalThis.fetch {
  return async (...request) => {
    const answer = await fetch(...request);
    if (answer.body === null) return answer;
    const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const body = answer.body.pipeThrough(isStream ? eventLimit(most) : sizeLimit(most));
    const { status, statusText, headers } = answer;
    return new Response(body, { status, statusText, headers });
  };
}
const tooLarge = (most: number): NacreError =>
  new NacreError("unavailable", `the server sent a message of more than ${most / 1024 / 1024} MB`);

function sizeLimit(most: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > most) controller.error(tooLarge(most));
      else controller.enqueue(chunk);
    },
  });
}
/** An event ends with an empty line; what stands between two of them is one (HTML, Server-sent events). */
function eventLimit(most: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let line = 0;
  let events = 0;
  let since = 0;
  return new TransformStream({
    async transform(chunk, controller) {
      let from = 0;
      for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
        line += at - from;
        size += at - from + 1;
        // One byte is the carriage return of a line that is empty.
        if (line <= 1) {
          size = 0;
          events++;
        }
        line = 0;
        from = at + 1;
        if (size > most) break;
      }
      line += chunk.length - from;
      size += chunk.length - from;
      if (size > most) return controller.error(tooLarge(most));
      controller.enqueue(chunk);
      const now = performance.now();
      if (now - since >= span) events = 0;
      if (events === 0) since = now;
      if (events > eventsAtOnce) {
        events = 0;
        await new Promise((resolve) => setTimeout(resolve, span));
      }
    },
  });
}
