import type { Readable, Writable } from "node:stream";
import type { Exit } from "./process.ts";

/** A process that runs, whoever started it: this process or its helper. */
export interface SystemProcess {
  readonly pid: number;
  readonly stdin: Writable;
  /** One for both outputs, or standard output and standard error. */
  readonly outputs: readonly Readable[];
  /** Resolves when the process has ended, its outputs perhaps still open. Never rejects. */
  readonly exit: Promise<Exit>;
}
