import fs from "node:fs";
import path from "node:path";
import type { Clock } from "./clock.ts";
import { systemCode } from "./files.ts";

/** The app's log: JSON lines in `<data>/logs`, masked, rotated (10 MB × 5). */
export interface Logger {
  debug(message: string, data?: object): void;
  info(message: string, data?: object): void;
  warn(message: string, data?: object): void;
  error(message: string, data?: object): void;
  child(name: string): Logger;
}
/** A logger that writes to a file. */
export interface FileLogger extends Logger {
  /** Writes what is waiting. Never throws: a log that cannot be written is told of once, on standard error. */
  flush(): void;
  /** Flushes, and leaves no timer and no listener. */
  close(): void;
}
export interface LoggerOptions {
  /** `<data>/logs`; made with the first line. */
  readonly dir: string;
  readonly mask: (text: string) => string;
  readonly clock: Clock;
  /** The first part of the file's name; `nacre` where absent. */
  readonly name?: string;
  /** Debug lines are written too. */
  readonly debug?: boolean;
  /** Bytes of one file; 10 MB where absent. */
  readonly rotateBytes?: number;
}

const files = 5;
const defaultRotateBytes = 10_000_000;
const flushMs = 200;
const flushCharacters = 64 * 1024;

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};

/** Touches no disk before the first line. Lines wait up to 200 ms, and are written at the latest when the process exits. */
export function createLogger(options: LoggerOptions): FileLogger {
  const file = path.join(options.dir, `${options.name ?? "nacre"}.jsonl`);
  let waiting: string[] = [];
  let characters = 0;
  let timer: NodeJS.Timeout | undefined;
  let told = false;
  let listening = false;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const text = waiting.join("");
    waiting = [];
    characters = 0;
    try {
      appendRotated(file, text, options.rotateBytes ?? defaultRotateBytes);
    } catch (error) {
      if (!told) process.stderr.write(`nacre: the log ${file} cannot be written: ${String(error)}\n`);
      told = true;
    }
  };
  const write = (
    level: string,
    name: string | undefined,
    message: string,
    data: object | undefined,
  ): void => {
    const t = new Date(options.clock.now()).toISOString();
    const line = toJson(
      {
        t,
        level,
        ...(name === undefined ? {} : { name }),
        message,
        ...(data ? { data } : {}),
      },
      options.mask,
    );
    const text = `${line}\n`;
    waiting.push(text);
    characters += text.length;
    if (!listening) process.on("exit", flush);
    listening = true;
    if (characters >= flushCharacters) flush();
    else timer ??= setTimeout(flush, flushMs).unref();
  };
  const named = (name?: string): Logger => ({
    debug: (message, data) => {
      if (options.debug) write("debug", name, message, data);
    },
    info: (message, data) => write("info", name, message, data),
    warn: (message, data) => write("warn", name, message, data),
    error: (message, data) => write("error", name, message, data),
    child: (inner) => named(name === undefined ? inner : `${name}.${inner}`),
  });
  const close = (): void => {
    flush();
    process.off("exit", flush);
    listening = false;
  };
  return { ...named(), flush, close };
}

/** Members that hold a secret whatever it looks like, by their names. */
const secretNames = /^(proxy-)?authorization$|^(set-)?cookie$|passw|secret|api[-_]?key|token$/i;

/** Errors with their causes; what JSON cannot hold is told as text. Each text is masked before it is JSON. */
function toJson(value: object, mask: (text: string) => string): string {
  const member = (name: string, one: unknown): unknown => {
    if (typeof one === "string") return secretNames.test(name) ? "***" : mask(one);
    return one instanceof Error ? plainError(one) : one;
  };
  try {
    return JSON.stringify(value, member);
  } catch (error) {
    return JSON.stringify({ ...value, data: `not shown: ${String(error)}` }, member);
  }
}
function plainError(error: Error): object {
  const { name, message, stack, cause } = error;
  const code = systemCode(error);
  return {
    name,
    message,
    ...(code === undefined ? {} : { code }),
    stack,
    ...(cause === undefined ? {} : { cause }),
  };
}
function appendRotated(file: string, text: string, limit: number): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0 && size + Buffer.byteLength(text) > limit) rotate(file);
  // Opened each time: another process of ours may have rotated it.
  fs.appendFileSync(file, text, { mode: 0o600 });
}
/** `x.jsonl` → `x.1.jsonl` → … → `x.4.jsonl`, which is dropped. */
function rotate(file: string): void {
  const numbered = (index: number): string =>
    index === 0 ? file : file.replace(/\.jsonl$/, `.${index}.jsonl`);
  for (let index = files - 1; index > 0; index--) {
    try {
      fs.renameSync(numbered(index - 1), numbered(index));
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
  }
}
