import type { Readable } from "node:stream";
import type { Exit } from "./process.ts";

/** How long pipes that somebody holds open are read after the process has ended, ms. */
const quiet = 250;
const quietAtMost = 2_000;

type Stream = Readable & { readonly bytesRead?: number };

/**
 * Resolves when the process has ended and its pipes are closed. While something that it left behind holds them open,
 * they are read until nothing came for 250 ms, at most 2 s; then `endGroup` is called and our ends are closed.
 */
export async function whenExited(
  ended: Promise<Exit>,
  streams: readonly Stream[],
  endGroup: () => void,
): Promise<Exit> {
  const closed = Promise.all(streams.map(untilClosed));
  const exit = await ended;
  const since = performance.now();
  const read = (): number => streams.reduce((sum, stream) => sum + (stream.bytesRead ?? 0), 0);
  let before = read();
  const timer = setInterval(() => {
    const now = read();
    const held = now === before && streams.every((stream) => stream.readableLength === 0);
    before = now;
    if (!held && performance.now() - since < quietAtMost) return;
    clearInterval(timer);
    // What holds them is in the group, or left it: then only closing our end helps.
    endGroup();
    for (const stream of streams) stream.destroy();
  }, quiet);
  await closed;
  clearInterval(timer);
  return exit;
}
async function untilClosed(stream: Readable): Promise<void> {
  if (!stream.closed) await new Promise((resolve) => stream.once("close", resolve));
}
