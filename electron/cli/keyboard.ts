import { createInterface } from "node:readline";

const interruptKey = "\u0003";

/**
 * The keys of the terminal that this process has as standard input: single ones, and whole lines. Outside of a wait the
 * terminal is in its usual mode, also when the process ends in the middle of one. Ctrl+C interrupts the process.
 */
export class Keyboard {
  readonly #restore = (): void => void process.stdin.setRawMode(false);

  /**
   * The next key: its character, or `escape`; keys that send more than a character (arrows) are none. Undefined when
   * the wait is over without one: by the signal, or because the terminal is gone.
   */
  key(signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const { stdin } = process;
    return new Promise((resolve) => {
      const end = (key: string | undefined): void => {
        stdin.off("data", pressed).off("end", gone);
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
      stdin.setRawMode(true);
      stdin.on("data", pressed).once("end", gone);
      signal.addEventListener("abort", gone, { once: true });
      stdin.resume();
    });
  }
  /** A line that is typed and ended with Enter; undefined for Escape, or where the signal or the terminal ends it. */
  line(prompt: string, signal: AbortSignal): Promise<string | undefined> {
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
    process.stdin.pause();
    process.stdin.unref();
  }
}
