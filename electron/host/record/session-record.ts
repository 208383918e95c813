import fs from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { SessionRow } from "../../../shared/session.ts";
import type { TraceRow } from "../../../shared/trace.ts";
import type { Clock, Ids } from "../kit/clock.ts";
import { systemCode } from "../kit/files.ts";
import { Blobs } from "./blobs.ts";
import { ConversationFile } from "./conversation-file.ts";
import type { LineBody, RecordLine } from "./lines.ts";
import { type Lock, takeLock } from "./session-lock.ts";
import { readMeta, summarise, writeMeta } from "./session-meta.ts";
import { TraceFile } from "./trace-file.ts";

/** A sub-agent's transcript, `sub-N.jsonl`. */
export type SubRecord = Pick<ConversationFile, "path" | "lines" | "append" | "diagnostics">;

export interface RecordParts {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly mask: (text: string) => string;
  /** Makes the session's folder; called before each first write. */
  readonly prepare: (folder: string) => void;
}

/**
 * Everything that is kept of one session. Nothing is on the disk before the first append. One process writes: who
 * holds the lock.
 */
export class SessionRecord {
  readonly id: string;
  readonly dir: string;
  readonly #parts: RecordParts;
  readonly #blobs: Blobs;
  readonly #main: ConversationFile;
  readonly #subs = new Map<number, ConversationFile>();
  readonly #trace: TraceFile;
  #prepared = false;

  constructor(id: string, folder: string, parts: RecordParts) {
    this.id = id;
    this.dir = folder;
    this.#parts = parts;
    this.#blobs = new Blobs(folder);
    this.#main = this.#conversation("main.jsonl");
    this.#trace = new TraceFile(path.join(folder, "trace.jsonl"), parts.mask);
  }
  /** The current branch, root first; parts of an answer stand as one line, or not at all where the whole came. */
  lines(): readonly RecordLine[] {
    return this.#main.lines();
  }
  /** Lines of the transcript that could not be read. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#main.diagnostics;
  }
  /**
   * Writes one line in one call and gives it as it stands in the file, an output over 64 KB cut to its first 4 KB.
   * @throws NacreError `io`; then nothing was added.
   */
  append(body: LineBody): RecordLine {
    this.#prepare();
    return this.#main.append(body);
  }
  /**
   * Has the disk hold what was appended (fdatasync), to the transcripts of sub-agents too: at the end of a turn and before
   * an approved action.
   */
  sync(): void {
    this.#main.sync();
    for (const sub of this.#subs.values()) sub.sync();
  }
  /**
   * Takes the session for writing, and reads what others have added. @throws NacreError `locked`, which names the
   * holder; `data` is `{session, pid, host}`.
   */
  async lock(): Promise<Lock> {
    this.#prepare();
    const lock = takeLock(this.dir);
    // Opened anew, so that a line that another process tore is cut off.
    this.#main.close();
    this.#main.refresh();
    return lock;
  }
  /** The transcript of the N-th sub-agent of this session, from 1. */
  sub(n: number): SubRecord {
    const known = this.#subs.get(n);
    if (known) return known;
    const made = this.#conversation(`sub-${n}.jsonl`);
    this.#subs.set(n, made);
    return made;
  }
  /** The transcript of a further sub-agent, after those on the disk and those that have written nothing yet. */
  addSub(): SubRecord {
    return this.sub(Math.max(countTranscripts(this.dir), ...this.#subs.keys()) + 1);
  }
  /** Writes a row of the trace, masked and cut, and gives it so. A row of the same id replaces the one before. */
  appendTrace(row: TraceRow): TraceRow {
    this.#prepare();
    return this.#trace.append(row);
  }
  /** In the order the rows began. */
  trace(): TraceRow[] {
    return this.#trace.rows();
  }
  /** What lists show; from `meta.json`, else made of the lines. */
  row(): SessionRow {
    const lines = this.lines();
    const meta = readMeta(this.dir);
    if (meta?.bytes === this.#main.size) return meta.row;
    const row = summarise(this.id, lines);
    return meta ? { ...row, title: meta.row.title } : row;
  }
  /** Written by the lock's holder at the end of a turn. */
  async writeMeta(row: SessionRow): Promise<void> {
    this.#prepare();
    await writeMeta(this.dir, { row, bytes: this.#main.size });
  }
  /** The whole text that a line's `blob` names. @throws NacreError `not_found`, or `io` for a damaged one. */
  readBlob(sha256: string): string {
    return this.#blobs.read(sha256);
  }
  /** Writes a text to a file of the session's own and gives its path. @throws NacreError `io` */
  keepText(text: string): string {
    this.#prepare();
    return this.#blobs.write(text).file;
  }
  /** Gives the descriptors back; reading and appending stay possible. */
  close(): void {
    this.#main.close();
    this.#trace.close();
    for (const sub of this.#subs.values()) sub.close();
  }
  #conversation(name: string): ConversationFile {
    return new ConversationFile(path.join(this.dir, name), { ...this.#parts, blobs: this.#blobs });
  }
  #prepare(): void {
    if (this.#prepared) return;
    this.#parts.prepare(this.dir);
    this.#prepared = true;
  }
}

/** The highest N of the `sub-N.jsonl` in a folder; 0 where there is none. */
function countTranscripts(folder: string): number {
  try {
    const numbers = fs.readdirSync(folder).map((name) => Number(/^sub-(\d+)[.]jsonl$/.exec(name)?.[1] ?? 0));
    return Math.max(0, ...numbers);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return 0;
    throw error;
  }
}
