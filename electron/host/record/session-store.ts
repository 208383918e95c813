import fs from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { NacreError } from "../../../shared/errors.ts";
import type { SessionRow } from "../../../shared/session.ts";
import type { Clock, Ids } from "../kit/clock.ts";
import { isInside, lookAt, realPath, sha256, systemCode } from "../kit/files.ts";
import { SessionRecord } from "./session-record.ts";
import { lockState } from "./session-lock.ts";
import { readMeta, transcriptSize } from "./session-meta.ts";

export interface SessionStoreOptions {
  /** Its real path. */
  readonly workspace: string;
  readonly dataDir: string;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Hides known secrets in the trace. */
  readonly mask?: (text: string) => string;
}

/** The sessions of one workspace: `<ws>/.agent/sessions`, or below `<data>` where that cannot be written (spec 2). */
export class SessionStore {
  readonly #options: SessionStoreOptions;
  readonly #inWorkspace: string;
  readonly #inData: string;
  #root: string | undefined;
  /** Those that are open for writing: two records of one session would write past each other. */
  readonly #open = new Map<string, SessionRecord>();

  constructor(options: SessionStoreOptions) {
    this.#options = options;
    this.#inWorkspace = path.join(options.workspace, ".agent", "sessions");
    const hash = sha256(options.workspace).slice(0, 16);
    this.#inData = path.join(options.dataDir, "workspaces", hash, "sessions");
  }
  /** A new session. Touches no disk but to see where it may write. */
  create(): SessionRecord {
    const inWorkspace = this.#leadsTo() === null && canBeWritten(this.#inWorkspace);
    this.#root ??= inWorkspace ? this.#inWorkspace : this.#inData;
    return this.#keep(this.#record(this.#root, this.#options.ids.next()));
  }
  /** A link that leads out of the workspace: nothing is read or written there. */
  diagnostics(): readonly Diagnostic[] {
    const place = this.#leadsTo();
    if (place === null) return [];
    return [
      {
        code: "sessions-outside",
        severity: "warning",
        message: `${this.#inWorkspace} leads to ${place}, outside of the workspace; sessions are kept in ${this.#inData}`,
        path: this.#inWorkspace,
        fix: "replace the link by a folder",
      },
    ];
  }
  /** The one record of a session, until `release`. @throws NacreError `not_found`. */
  open(id: string): SessionRecord {
    return this.#open.get(id) ?? this.#keep(this.#record(this.#find(id), id));
  }
  /** A session as its files are now, for reading alone. @throws NacreError `not_found`. */
  read(id: string): SessionRecord {
    const open = this.#open.get(id);
    return this.#record(open ? path.dirname(open.dir) : this.#find(id), id);
  }
  /** Closes the record of a session and lets it go. */
  release(id: string): void {
    this.#open.get(id)?.close();
    this.#open.delete(id);
  }
  /** Closes every record. */
  close(): void {
    for (const id of this.#open.keys()) this.release(id);
  }
  /** All sessions, the last changed first. */
  list(): SessionRow[] {
    const rows = this.#roots().flatMap((root) => foldersIn(root).flatMap((id) => this.#row(root, id) ?? []));
    return rows.sort((a, b) =>
      a.updatedAt < b.updatedAt || (a.updatedAt === b.updatedAt && a.id < b.id) ? 1 : -1,
    );
  }

  #roots(): readonly string[] {
    return this.#leadsTo() === null ? [this.#inWorkspace, this.#inData] : [this.#inData];
  }
  /** Where the workspace's folder of sessions really lies, if that is outside of the workspace; null where it is inside. */
  #leadsTo(): string | null {
    const real = realPath(this.#inWorkspace);
    return isInside(this.#options.workspace, real) ? null : real;
  }
  #keep(record: SessionRecord): SessionRecord {
    this.#open.set(record.id, record);
    return record;
  }
  #record(root: string, id: string): SessionRecord {
    const { ids, clock, mask = (text: string) => text } = this.#options;
    const prepare = (folder: string): void => {
      const place = root === this.#inWorkspace ? this.#leadsTo() : null;
      if (place !== null)
        throw new NacreError(
          "denied",
          `${root} leads to ${place} now, outside of the workspace: begin a new session`,
        );
      makeFolder(root);
      makeFolder(folder, 0o700);
      if (root === this.#inWorkspace) writeIgnore(root);
    };
    return new SessionRecord(id, path.join(root, id), { ids, clock, mask, prepare });
  }
  /** The folder of sessions that holds this one. */
  #find(id: string): string {
    if (/^[A-Za-z0-9_-]{1,64}$/.test(id))
      for (const root of this.#roots()) {
        const folder = path.join(root, id);
        if (isFolder(folder) && transcriptSize(path.join(folder, "main.jsonl")) !== undefined) return root;
      }
    throw new NacreError(
      "not_found",
      `there is no session ${id} in ${this.#options.workspace}; see: nacre sessions list`,
    );
  }
  /** Undefined where no transcript has begun. */
  #row(root: string, id: string): SessionRow | undefined {
    const folder = path.join(root, id);
    const size = transcriptSize(path.join(folder, "main.jsonl"));
    if (size === undefined) return undefined;
    const meta = readMeta(folder);
    const lock = lockState(folder);
    const held = typeof lock === "object";
    if (meta && held) return { ...meta.row, id, state: meta.row.state === "waiting" ? "waiting" : "running" };
    const row = meta?.bytes === size ? meta.row : this.#record(root, id).row();
    if (held) return { ...row, id, state: "running" };
    const broken = row.state === "running" || row.state === "waiting" || lock === "dead";
    return { ...row, id, state: broken ? "failed" : row.state };
  }
}

/** Whether a folder can be made or written at this path. */
function canBeWritten(folder: string): boolean {
  try {
    // Of what does not exist the nearest ancestor decides.
    if (!fs.statSync(folder).isDirectory()) return false;
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch (error) {
    const parent = path.dirname(folder);
    return systemCode(error) === "ENOENT" && parent !== folder && canBeWritten(parent);
  }
}
function makeFolder(folder: string, mode = 0o777): void {
  try {
    fs.mkdirSync(folder, { recursive: true, mode });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NacreError("io", `cannot make the session's folder ${folder}: ${reason}`, { cause: error });
  }
}
/** Transcripts are no part of a project's history. */
function writeIgnore(root: string): void {
  try {
    fs.writeFileSync(path.join(root, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if (systemCode(error) !== "EEXIST")
      throw new NacreError("io", `cannot write ${path.join(root, ".gitignore")}`, { cause: error });
  }
}
function isFolder(file: string): boolean {
  return lookAt(file)?.isDirectory() ?? false;
}
function foldersIn(root: string): string[] {
  try {
    return fs
      .readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return [];
    throw new NacreError("io", `cannot list the sessions in ${root}`, { cause: error });
  }
}
