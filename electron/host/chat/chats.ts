import type { Entry, SessionEvent, SessionRow } from "../../../shared/session.ts";
import type { Clock, Ids } from "../kit/clock.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import type { SessionRecord } from "../record/session-record.ts";
import type { SessionStore } from "../record/session-store.ts";
import { entriesOf } from "./entry-list.ts";
import { ChatSession } from "./session.ts";
import type { SessionHost } from "./session-host.ts";

export interface ChatsOptions {
  readonly store: SessionStore;
  readonly host: SessionHost;
  /** Its real path. */
  readonly workspace: string;
  readonly version: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Sessions that are kept open though nothing runs in them. */
  readonly keepIdle?: number;
}

/**
 * The conversations of one workspace, each open at most once. Of those in which nothing runs the ones used last stay
 * open; listeners hear of all of them here, so that nobody holds on to one that was closed.
 */
export class Chats {
  readonly #options: ChatsOptions;
  readonly #keepIdle: number;
  /** In the order of use, the last used one last. */
  readonly #open = new Map<string, ChatSession>();
  readonly #closing = new Set<Promise<void>>();
  readonly #events: Emitter<{ readonly id: string; readonly event: SessionEvent }>;
  readonly #rows: Emitter<SessionRow>;
  readonly #closed: Emitter<string>;

  constructor(options: ChatsOptions) {
    this.#options = options;
    this.#keepIdle = options.keepIdle ?? 16;
    const report = (error: unknown): void => options.host.report(error);
    this.#events = new Emitter(report);
    this.#rows = new Emitter(report);
    this.#closed = new Emitter(report);
  }
  /** What the topics `session:<id>` tell. */
  get onEvent(): Listenable<{ readonly id: string; readonly event: SessionEvent }> {
    return this.#events;
  }
  /** A row that changed or is new. */
  get onRow(): Listenable<SessionRow> {
    return this.#rows;
  }
  /** The id of a session in which nothing runs any more and that was let go; it may be opened again. */
  get onClose(): Listenable<string> {
    return this.#closed;
  }
  /** A new session; on the disk with its first message. */
  create(): ChatSession {
    return this.#add(this.#options.store.create());
  }
  /** @throws NacreError `not_found` */
  open(id: string): ChatSession {
    const known = this.#open.get(id);
    if (known === undefined) return this.#add(this.#options.store.open(id));
    this.#open.delete(id);
    this.#open.set(id, known);
    return known;
  }
  /** All sessions that were ever used, the last changed first. */
  list(): SessionRow[] {
    return this.#options.store.list().map((row) => this.#open.get(row.id)?.row ?? row);
  }
  /** A session with all its entries and whole outputs, for reading alone. @throws NacreError `not_found` */
  read(id: string): { readonly row: SessionRow; readonly entries: readonly Entry[] } {
    const record = this.#options.store.read(id);
    const entries = entriesOf(record.lines(), ({ text, blob }) =>
      blob === undefined ? text : record.readBlob(blob.sha256),
    );
    return { row: this.#open.get(id)?.row ?? record.row(), entries };
  }
  async rename(id: string, title: string): Promise<void> {
    await this.open(id).rename(title);
  }
  /** Which sessions have a question open to the person, sub-agents' questions among them. */
  setQuestionsOpen(ids: ReadonlySet<string>): void {
    for (const session of this.#open.values()) session.setQuestionOpen(ids.has(session.id));
  }
  /** Stops everything that runs; resolves when files and locks are given back. */
  async close(): Promise<void> {
    for (const session of this.#open.values()) this.#close(session);
    while (this.#closing.size > 0) await Promise.all(this.#closing);
  }
  #add(record: SessionRecord): ChatSession {
    const { host, workspace, version, clock, ids } = this.#options;
    const session = new ChatSession({ record, host, workspace, version, clock, ids });
    session.events.on((event) => {
      this.#events.emit({ id: session.id, event });
      if (event.type === "row") this.#rows.emit(event.row);
    });
    this.#open.set(session.id, session);
    this.#closeIdle();
    return session;
  }
  /** One that is empty cannot be opened again, so it stays: it holds neither file nor entry. */
  #closeIdle(): void {
    const { host } = this.#options;
    const idle = [...this.#open.values()].filter(
      (session) => !session.busy && !session.empty && !host.goesOn(session.id),
    );
    for (const session of idle.slice(0, Math.max(0, idle.length - this.#keepIdle))) this.#close(session);
  }
  #close(session: ChatSession): void {
    this.#open.delete(session.id);
    const closing = session
      .close()
      .catch((error: unknown) => this.#options.host.report(error))
      .finally(() => {
        this.#closing.delete(closing);
        // Opened again meanwhile, it has the same record.
        if (this.#open.has(session.id)) return;
        this.#options.store.release(session.id);
        this.#closed.emit(session.id);
      });
    this.#closing.add(closing);
  }
}
