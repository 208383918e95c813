import fs from "node:fs";
import path from "node:path";
import { cutEnd } from "../../../shared/visible-text.ts";
import { systemCode } from "../kit/files.ts";
import { Budget } from "./budget.ts";
import { LineSplitter } from "./line-splitter.ts";

const keptLines = 200;
const longestLine = 16 * 1024;
const fileLimit = 10 * 1024 * 1024;
const files = 5;
/** What a terminal would take as colour or movement. */
// oxlint-disable-next-line no-control-regex
const controls = /\u001B\[[0-?]*[ -/]*[@-~]/g;
/** Ends of a Node crash report that name no cause. */
const noise = /^\s*$|^Node\.js v\d|^\s+at |^\s*[{}\])]+;?\s*$/;

export interface ServerLogOptions {
  /** Absolute; its folder is made. */
  readonly file: string;
  readonly mask: (text: string) => string;
  /** Hears once where the file cannot be written; the lines in memory go on. */
  readonly onProblem: (error: unknown) => void;
}

/**
 * One server's log: what it says on standard error, and what Nacre has to say about it (`[nacre] …`). The last 200 lines stay in
 * memory, all go to the file, masked, rotated at 10 MB × 5 (spec 2, 6).
 */
export class ServerLog {
  readonly #options: ServerLogOptions;
  readonly #splitter: LineSplitter;
  #tail: string[] = [];
  #last = "";
  #unwritten: string[] = [];
  #broken = false;
  readonly #notes = new Budget(500, 20);
  #skipped = 0;
  constructor(options: ServerLogOptions) {
    this.#options = options;
    const line = (text: string): void => this.#stderrLine(text);
    this.#splitter = new LineSplitter(longestLine, line, (start) => line(`${start}…`));
  }
  /** Takes a chunk of standard error. */
  stderr(chunk: Buffer): void {
    this.#splitter.push(chunk);
    this.#write();
  }
  /** Standard error ended: its last line may have no line feed. */
  stderrEnd(): void {
    this.#splitter.end();
    this.#write();
  }
  /**
   * A line of Nacre's own. What a server said stands in it too, so it stays one line, and of thousands a second some are
   * left out.
   */
  note(text: string): void {
    if (!this.#notes.take()) return void this.#skipped++;
    if (this.#skipped > 0) this.#add(`[nacre] ${this.#skipped} more lines were left out`);
    this.#skipped = 0;
    const { kept, left } = cutEnd(text, longestLine);
    this.#add(
      `[nacre] ${kept.replaceAll(controls, "").replaceAll(/\s*[\r\n]+\s*/g, " ↵ ")}${left > 0 ? "…" : ""}`,
    );
    this.#write();
  }
  /** Forgets the last line of standard error: a new run begins. */
  begin(): void {
    this.#last = "";
  }
  /** A text about the server as it may be shown and written down: an error may repeat an address or a header. */
  masked(text: string): string {
    return this.#options.mask(text);
  }
  /** The last line of standard error that says something; empty where there is none. */
  get lastStderr(): string {
    return this.#last;
  }
  get tail(): readonly string[] {
    return this.#tail.slice(-keptLines);
  }
  /** The lines of the log file, oldest first; those in memory where it cannot be read. */
  lines(): string[] {
    try {
      return fs.readFileSync(this.#options.file, "utf8").split("\n").slice(0, -1);
    } catch (error) {
      if (systemCode(error) !== "ENOENT") this.#report(error);
      return [...this.#tail];
    }
  }
  #stderrLine(raw: string): void {
    const text = raw.replaceAll(controls, "");
    const masked = this.#add(text);
    if (!noise.test(text)) this.#last = masked.trim();
  }
  #add(text: string): string {
    const masked = this.#options.mask(text);
    this.#tail.push(masked);
    if (this.#tail.length > 2 * keptLines) this.#tail = this.#tail.slice(-keptLines);
    this.#unwritten.push(masked);
    return masked;
  }
  #write(): void {
    const text = this.#unwritten.map((line) => `${line}\n`).join("");
    this.#unwritten = [];
    if (text === "" || this.#broken) return;
    const { file } = this.#options;
    try {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      this.#rotate(file, Buffer.byteLength(text));
      fs.appendFileSync(file, text, { mode: 0o600 });
    } catch (error) {
      this.#report(error);
    }
  }
  #rotate(file: string, more: number): void {
    const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0 || size + more <= fileLimit) return;
    for (let number = files - 1; number > 0; number--) {
      const from = number === 1 ? file : `${file}.${number - 1}`;
      if (fs.existsSync(from)) fs.renameSync(from, `${file}.${number}`);
    }
  }
  #report(error: unknown): void {
    if (!this.#broken) this.#options.onProblem(error);
    this.#broken = true;
  }
}

/** `<data>/logs/mcp-<name>.log`; other characters of the name as their number in hex. */
export function logFile(dataFolder: string, name: string): string {
  const safe = name.replaceAll(/[^A-Za-z0-9._-]/gu, (char) => `%${(char.codePointAt(0) ?? 0).toString(16)}`);
  return path.join(dataFolder, "logs", `mcp-${safe.slice(0, 150)}.log`);
}
