import { Keyboard } from "./keyboard.ts";

/** A yes or no on the terminal; no terminal is a no. */
export async function agreed(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const keyboard = new Keyboard();
  try {
    await keyboard.quiet(signal);
    const answer = await keyboard.line(`${question} [y/N] `, signal);
    signal.throwIfAborted();
    return /^y(es)?$/i.test(answer?.trim() ?? "");
  } finally {
    keyboard.stop();
  }
}
