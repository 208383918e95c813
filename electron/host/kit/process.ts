import type { Readable, Writable } from "node:stream";

/** A program to start, without a shell. */
export interface SpawnSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The whole environment of the child; see `childEnvironment`. */
  readonly env?: NodeJS.ProcessEnv;
}
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}
/** A running child in a process group of its own. */
export interface Child {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the process has ended and its pipes are closed. Never rejects. */
  readonly exit: Promise<Exit>;
  /** Ends the whole group: TERM, after 2 s KILL. Resolves when it has ended; twice is fine. */
  stop(): Promise<Exit>;
}
