import { createInterface } from "node:readline";
import { guardMs } from "../../shared/approval-keys.ts";

const interruptKey = "\u0003";

/**
 * The keys of the terminal that this process has as standard input: single ones, and whole lines. Outside of a wait the
 * terminal is in its usual mode, also when the process ends in the middle of one. Ctrl+C interrupts the process; a
 * terminal that goes away hangs up, whether the system says so by a signal or only by an end or an error of the input.
 */
export class Keyboard {
  #gone = false;
  readonly #left = new AbortController();
  readonly #restore = (): void => {
    if (!this.#gone) process.stdin.setRawMode(false);
  };
  readonly #hangUp = (): void => {
    if (this.#gone) return;
    this.#gone = true;
    this.#left.abort();
    process.emit("SIGHUP", "SIGHUP");
  };

  constructor() {
    process.stdin.on("end", this.#hangUp).on("error", this.#hangUp);
  }
  /** True once nothing can be typed any more. */
  get isGone(): boolean {
    return this.#gone;
  }

  /**
   * The next key: its character, or `escape`; keys that send more than a character (arrows) are none. Undefined when
   * the wait is over without one: by the signal, or because the terminal is gone.
   */
  key(stop: AbortSignal): Promise<string | undefined> {
    const signal = AbortSignal.any([stop, this.#left.signal]);
    if (signal.aborted) return Promise.resolve(undefined);
    const { stdin } = process;
    return new Promise((resolve) => {
      stdin.setRawMode(true);
      // A terminal that is gone has just said so.
      if (signal.aborted) {
        resolve(undefined);
        return;
      }
      const end = (key: string | undefined): void => {
        stdin.off("data", pressed);
        signal.removeEventListener("abort", gone);
        process.off("exit", this.#restore);
        this.#restore();
        stdin.pause();
        resolve(key);
      };
      const gone = (): void => end(undefined);
      const pressed = (chunk: Buffer): void => {
        const text = chunk.toString("utf8");
        if (text.includes(interruptKey)) process.emit("SIGINT", "SIGINT");
        else if (text === "\u001B") end("escape");
        // Several at once were typed ahead, or pasted.
        else if (/^.$/su.test(text)) end(text);
        else end("");
      };
      process.on("exit", this.#restore);
      signal.addEventListener("abort", gone, { once: true });
      stdin.on("data", pressed);
      stdin.resume();
    });
  }
  /**
   * Drops what was typed, until nothing came for a moment: nobody answers what they have not read. Ends earlier by the
   * signal, or because the terminal is gone.
   */
  async quiet(stop: AbortSignal): Promise<void> {
    let key: string | undefined = "";
    while (key !== undefined) key = await this.key(AbortSignal.any([stop, AbortSignal.timeout(guardMs)]));
  }
  /** A line that is typed and ended with Enter; undefined for Escape, or where the signal or the terminal ends it. */
  line(prompt: string, stop: AbortSignal): Promise<string | undefined> {
    const signal = AbortSignal.any([stop, this.#left.signal]);
    if (signal.aborted) return Promise.resolve(undefined);
    const { stdin, stderr } = process;
    return new Promise((resolve) => {
      const editor = createInterface({ input: stdin, output: stderr, terminal: true, historySize: 0 });
      let typed: string | undefined;
      const leave = (): void => editor.close();
      const pressed = (_text: string | undefined, key: { readonly name?: string } | undefined): void => {
        if (key?.name !== "escape") return;
        stderr.write("\n");
        leave();
      };
      stdin.on("keypress", pressed);
      signal.addEventListener("abort", leave, { once: true });
      process.on("exit", this.#restore);
      editor.on("SIGINT", () => process.emit("SIGINT", "SIGINT"));
      // It repeats what is heard of the input itself.
      editor.on("error", leave);
      editor.once("close", () => {
        stdin.off("keypress", pressed);
        signal.removeEventListener("abort", leave);
        process.off("exit", this.#restore);
        resolve(typed);
      });
      editor.once("line", (text) => {
        typed = text;
        leave();
      });
      editor.setPrompt(prompt);
      editor.prompt();
    });
  }
  /** Nothing is read any more: standard input keeps no process alive. */
  stop(): void {
    process.stdin.off("end", this.#hangUp).off("error", this.#hangUp);
    process.stdin.pause();
    process.stdin.unref();
  }
}
