import { isObject, type JsonObject } from "../../../shared/json.ts";
import type { Child, Exit } from "../kit/process.ts";
import { Intake } from "./intake.ts";
import { LineSplitter } from "./line-splitter.ts";

/** From closing the server's input to ending its group, ms: time to save what it wants to save. */
const farewell = 500;
const defaultMessageLimit = 64 * 1024 * 1024;
const shownOfLine = 500;
/** In 100 ms: what nobody asked for, and bytes of standard error. */
const unaskedAtOnce = 1000;
const stderrAtOnce = 1024 * 1024;
/** What waits for a server to read its input, bytes. */
const mostUnread = 64 * 1024 * 1024;

/** `exited with code 3`, `was ended by SIGKILL`. */
const exitText = ({ code, signal }: Exit): string =>
  signal === null ? `exited with code ${code ?? "unknown"}` : `was ended by ${signal}`;

export interface StdioOptions {
  onStderr(chunk: Buffer): void;
  onStderrEnd(): void;
  /** A line of standard output that is no JSON-RPC, skipped. */
  onNote(text: string): void;
  readonly maxMessageBytes?: number;
}

/**
 * JSON-RPC over the standard streams of a child (MCP 2025-11-25, stdio): one message a line. Has the shape of the MCP client's
 * `Transport`. Both outputs are read from the first moment on, so that a server never blocks on them and nothing is
 * lost while the client is loaded.
 */
export class StdioTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JsonObject) => void) | undefined;
  /** Resolves when the process, and all it started, has ended and its output is read. Never rejects. */
  readonly closed: Promise<Exit>;
  readonly #child: Child;
  readonly #options: StdioOptions;
  readonly #waiting: JsonObject[] = [];
  /** Requests of ours that were not answered yet. */
  readonly #asked = new Set<string>();
  readonly #unasked: Intake;
  #started = false;
  #delivering = false;
  #ending: Promise<void> | undefined;
  #isWanted = false;
  #fault: string | undefined;

  constructor(child: Child, options: StdioOptions) {
    this.#child = child;
    this.#options = options;
    const limit = options.maxMessageBytes ?? defaultMessageLimit;
    const splitter = new LineSplitter(
      limit,
      (line) => this.#line(line),
      () => {
        this.#fault = `sent a message of more than ${limit / 1024 / 1024} MB and was ended`;
        void this.#end();
      },
    );
    child.stdout.on("data", (chunk: Buffer) => splitter.push(chunk));
    // Without its output a server can answer nothing more.
    child.stdout.on("end", () => {
      splitter.end();
      void this.#end("closed its standard output and was ended");
    });
    this.#unasked = new Intake(child.stdout, unaskedAtOnce);
    const stderr = new Intake(child.stderr, stderrAtOnce);
    child.stderr.on("data", (chunk: Buffer) => {
      options.onStderr(chunk);
      stderr.count(chunk.length);
    });
    child.stderr.on("end", () => options.onStderrEnd());
    this.closed = this.#whenClosed();
  }
  /** True from the moment on that it can answer nothing more. */
  get isEnding(): boolean {
    return this.#ending !== undefined;
  }
  /** Why it ended, where nobody asked for it: `exited with code 3`. Known when `closed` has resolved. */
  get fault(): string | undefined {
    return this.#fault;
  }
  /** Hands over what came so far and from then on what comes. */
  start(): Promise<void> {
    this.#started = true;
    return this.#deliver();
  }
  /** @throws Error where the server is gone or closed its input */
  send(message: object): Promise<void> {
    if (this.isEnding) return Promise.reject(new Error("the server is gone"));
    if (this.#child.stdin.writableLength > mostUnread) {
      void this.#end("does not read its standard input and was ended");
      return Promise.reject(new Error("the server does not read its input"));
    }
    this.#note(message);
    return new Promise((resolve, reject) => {
      this.#child.stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        if (!error) return resolve();
        // One that hears nothing more is of no use; ending it tells everybody who waits.
        void this.#end("closed its standard input and was ended");
        reject(error);
      });
    });
  }
  /** Remembers a request of ours until it is answered or taken back. */
  #note(message: object): void {
    if (!isObject(message)) return;
    if ("id" in message && "method" in message) this.#asked.add(String(message["id"]));
    const { params } = message;
    if (message["method"] === "notifications/cancelled" && isObject(params))
      this.#asked.delete(String(params["requestId"]));
  }
  /** Closes the server's input, gives it a moment, then ends its group. Resolves when nothing of it is left. */
  async close(): Promise<void> {
    if (!this.isEnding) this.#isWanted = true;
    await this.#end();
    await this.closed;
  }
  /** `why` is the fault where the process has to be ended by us. */
  #end(why?: string): Promise<void> {
    this.#ending ??= (async () => {
      this.#child.stdin.end();
      const exited = await this.#exitWithin(farewell);
      if (!exited) this.#fault ??= why;
      await this.#child.stop();
    })();
    return this.#ending;
  }
  async #whenClosed(): Promise<Exit> {
    const exit = await this.#child.exit;
    // What it left behind is ended, too.
    await this.#end();
    if (!this.#isWanted) this.#fault ??= exitText(exit);
    this.onclose?.();
    return exit;
  }
  #exitWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms, false);
      void this.#child.exit.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }
  /**
   * Hands messages over one by one, each after the turn of the one before: the client library hears notifications a turn
   * later than answers, and would lose the progress that stands right before an answer.
   */
  async #deliver(): Promise<void> {
    if (!this.#started || this.#delivering) return;
    this.#delivering = true;
    for (let message = this.#waiting.shift(); message; message = this.#waiting.shift()) {
      this.onmessage?.(message);
      await Promise.resolve();
    }
    this.#delivering = false;
  }
  #line(line: string): void {
    if (line.trim() === "") return;
    let parsed: unknown;
    // A parser's fault for each line of a flood is what would take long.
    if (/^\s*[{[]/.test(line))
      try {
        parsed = JSON.parse(line);
      } catch {
        // Reported below with everything else that is no message.
      }
    // 2025-03-26 knew batches.
    for (const message of Array.isArray(parsed) ? (parsed as unknown[]) : [parsed]) {
      const isMessage = isObject(message) && message["jsonrpc"] === "2.0";
      const isAnswer = isMessage && !("method" in message) && this.#asked.delete(String(message["id"]));
      if (!isAnswer) this.#unasked.count(1);
      if (!isMessage) {
        this.#options.onNote(`skipped a line on standard output: ${line.slice(0, shownOfLine)}`);
        return;
      }
      this.#waiting.push(message);
    }
    void this.#deliver();
  }
}
