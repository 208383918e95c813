import { NacreError } from "../../../../shared/errors.ts";
import { describe } from "../call-errors.ts";
import { startupTimeoutMs } from "../launch.ts";
import { Repeat } from "../repeat.ts";
import type { McpServer } from "../server.ts";
import type { Connection } from "../types.ts";
import {
  promptList,
  resourceList,
  templateList,
  type Prompt,
  type Resource,
  type Template,
} from "./offered-lists.ts";
import { listPages, type ListKind, type Listing } from "./pages.ts";

/** What a ready server offers beside its tools, as far as it has told. */
export interface ServerOffers {
  readonly resources: readonly Resource[];
  readonly templates: readonly Template[];
  readonly prompts: readonly Prompt[];
  readonly problems: readonly string[];
}
const nothing: Listing<never> = { rows: [], problems: [] };
const noOffers: ServerOffers = { resources: [], templates: [], prompts: [], problems: [] };

/** What one session with a server offers. */
class Session {
  readonly connection: Connection;
  readonly #server: McpServer;
  readonly #onChange: () => void;
  #resources: Listing<Resource> = nothing;
  #templates: Listing<Template> = nothing;
  #prompts: Listing<Prompt> = nothing;
  readonly #listResources = new Repeat(async () => {
    const [resources, templates] = await Promise.all([this.#list(resourceList), this.#list(templateList)]);
    this.#resources = resources ?? this.#resources;
    this.#templates = templates ?? this.#templates;
    this.#onChange();
  });
  readonly #listPrompts = new Repeat(async () => {
    this.#prompts = (await this.#list(promptList)) ?? this.#prompts;
    this.#onChange();
  });

  constructor(server: McpServer, connection: Connection, onChange: () => void) {
    this.#server = server;
    this.connection = connection;
    this.#onChange = onChange;
  }
  get offers(): ServerOffers {
    return {
      resources: this.#resources.rows,
      templates: this.#templates.rows,
      prompts: this.#prompts.rows,
      problems: [...this.#resources.problems, ...this.#templates.problems, ...this.#prompts.problems],
    };
  }
  /** Lists what the server says that it has. Resolves when it is listed. Never rejects. */
  async refresh(list: "resources" | "prompts"): Promise<void> {
    if (!(list in this.connection.capabilities)) return;
    await (list === "resources" ? this.#listResources : this.#listPrompts).request();
  }
  /** Undefined where it failed: what is known stays. */
  async #list<Row>(kind: ListKind<Row>): Promise<Listing<Row> | undefined> {
    const timeoutMs = startupTimeoutMs(this.#server.declaration.config);
    const page = (cursor: string | undefined): Promise<unknown> =>
      this.connection.request(
        kind.method,
        cursor === undefined ? {} : { cursor },
        { timeoutMs },
        AbortSignal.timeout(timeoutMs),
      );
    try {
      const listing = await listPages(kind, page);
      for (const problem of listing.problems) this.#server.log.note(problem);
      return listing;
    } catch (error) {
      // Servers with resources need not have templates.
      if (!isUnknownMethod(error))
        this.#server.log.note(`${kind.method} failed, what is known stays: ${describe(error)}`);
      return undefined;
    }
  }
}
/** JSON-RPC 2.0, Error object. */
const methodNotFound = -32601;
const isUnknownMethod = (error: unknown): boolean =>
  error instanceof NacreError &&
  error.cause instanceof Error &&
  (error.cause as Error & { readonly code?: unknown }).code === methodNotFound;

/** What every ready server offers beside its tools. It is listed when a server is ready, and holds up nobody. */
export class Offers {
  readonly #sessions = new WeakMap<McpServer, Session>();
  readonly #busy = new Set<Promise<void>>();
  readonly #onChange: () => void;

  /** @param onChange what some server offers may be another by now */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }
  /** Is told whenever the state of a server may have changed. */
  follow(server: McpServer): void {
    const connection = server.state.name === "ready" ? server.connection : undefined;
    const known = this.#sessions.get(server);
    if (known?.connection === connection) return;
    if (connection === undefined) {
      this.#sessions.delete(server);
      this.#onChange();
      return;
    }
    const session = new Session(server, connection, () => {
      if (this.#sessions.get(server) === session) this.#onChange();
    });
    this.#sessions.set(server, session);
    this.#onChange();
    this.#wait(session.refresh("resources"));
    this.#wait(session.refresh("prompts"));
    this.#wait(setLogLevel(server, connection));
  }
  /** A list of a ready server changed. */
  refresh(server: McpServer, list: "resources" | "prompts"): void {
    const session = this.#sessions.get(server);
    if (session) this.#wait(session.refresh(list));
  }
  of(server: McpServer): ServerOffers {
    return this.#sessions.get(server)?.offers ?? noOffers;
  }
  /** Whether a ready server says that it has resources. */
  hasResources(server: McpServer): boolean {
    return "resources" in (this.#sessions.get(server)?.connection.capabilities ?? {});
  }
  /** Resolves when nothing is being listed. Never rejects. */
  async settled(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy);
  }
  #wait(work: Promise<void>): void {
    const done: Promise<void> = work.finally(() => this.#busy.delete(done));
    this.#busy.add(done);
  }
}

/** What goes to a server's log is what a person may want to read when something goes wrong; `debug` would flood it. */
const logLevel = "info";
async function setLogLevel(server: McpServer, connection: Connection): Promise<void> {
  // The revisions without a handshake have no such request (MCP 2026-07-28).
  if (!("logging" in connection.capabilities) || connection.protocol >= "2026") return;
  const timeoutMs = startupTimeoutMs(server.declaration.config);
  try {
    await connection.request(
      "logging/setLevel",
      { level: logLevel },
      { timeoutMs },
      AbortSignal.timeout(timeoutMs),
    );
  } catch (error) {
    server.log.note(`logging/setLevel failed: ${describe(error)}`);
  }
}
