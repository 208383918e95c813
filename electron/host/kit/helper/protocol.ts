import type { Readable } from "node:stream";

/**
 * What host and helper say to each other over one local socket: a JSON document a line. Every socket that the helper
 * opens begins with a header of fixed length: the password and what the socket is for.
 */
export type ToHelper =
  /** The beginning of the run names of all children of this host. */
  | { readonly type: "run"; readonly run: string }
  | ({ readonly type: "watch" } & Watched)
  | { readonly type: "forget"; readonly number: number }
  | ({ readonly type: "spawn" } & SpawnRequest);
export type FromHelper =
  | { readonly type: "spawned"; readonly number: number; readonly pid: number }
  | { readonly type: "failed"; readonly number: number; readonly code: string; readonly message: string }
  | {
      readonly type: "exit";
      readonly number: number;
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
    };

/** A child whose group ends with the host. */
export interface Watched {
  /** The host counts its children. */
  readonly number: number;
  readonly pid: number;
  /** As in `ProcessIdentity`. */
  readonly start: string;
}
export interface SpawnRequest {
  readonly number: number;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Standard output and error go into one socket. */
  readonly merged: boolean;
  /** As in `SpawnSpec`, in base64. */
  readonly inputs: readonly string[];
}

/** The environment of the helper says where its host listens. */
export const addressVariable = "NACRE_HELPER_ADDRESS";
export const passwordVariable = "NACRE_HELPER_PASSWORD";

/** No variable holds a zero byte, with which an abstract name begins. */
export const addressText = (address: string): string => address.replace("\0", "@");
export const addressOfText = (text: string): string => text.replace(/^@/, "\0");

const purposeLength = 24;
/** Bytes of a header: 32 of the password, the rest says what for. */
export const headerLength = 32 + purposeLength;
/** What a socket is for: the talk itself, or one stream of one child (0 input, 1 output, 2 errors). */
export type Purpose = "talk" | { readonly number: number; readonly stream: number };

export function headerOf(password: string, purpose: Purpose): string {
  const text = purpose === "talk" ? "talk" : `${purpose.number}.${purpose.stream}`;
  return password + text.padEnd(purposeLength);
}
/** Undefined where the password is another one. */
export function purposeOf(header: string, password: string): Purpose | undefined {
  if (header.length !== headerLength || !header.startsWith(password)) return undefined;
  const text = header.slice(password.length).trimEnd();
  if (text === "talk") return "talk";
  const [number, stream] = text.split(".").map(Number);
  return number === undefined || stream === undefined ? undefined : { number, stream };
}

export const lineOf = (message: ToHelper | FromHelper): string => `${JSON.stringify(message)}\n`;

/** Calls `onLine` with every whole line that comes. What the other end says is ours: it is parsed by the caller. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest: string[] = [];
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const [first = "", ...lines] = chunk.split("\n");
    rest.push(first);
    for (const line of lines) {
      onLine(rest.join(""));
      rest = [line];
    }
  });
}
