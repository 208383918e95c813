import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import type { McpTransport } from "../../../shared/mcp.ts";
import type { AskPerson } from "../../../shared/mcp-request.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { carried, uncarried } from "./carried-result.ts";
import { describe, httpStatus, isNetworkFailure, toCallError } from "./call-errors.ts";
import { CallLimits } from "./call-limit.ts";
import { ClientConnection, unlimited, type Opened } from "./client-connection.ts";
import { answerInput, createAnswers, type AnswerPorts, type Answers } from "./features/answers.ts";
import { tasksExtension } from "./features/tasks.ts";
import type { McpOAuthConfig } from "../config/types.ts";
import { sdkLibrary } from "./oauth/sdk-library.ts";
import { OAuthSession, type OAuthPorts } from "./oauth/session.ts";
import { withSignIn } from "./oauth/sign-in.ts";
import { withResultType } from "./result-type.ts";
import { Listening } from "./listening.ts";
import { LentTransport } from "./lent-transport.ts";
import { selfDescription } from "./self-description.ts";
import { inEitherEra, type Era } from "./stdio-era.ts";
import type { StdioTransport } from "./stdio-transport.ts";
import type { ClientInfo, Connection, ConnectionEvents } from "./types.ts";

// The only importer of the MCP client library, with `oauth/sdk-library.ts`. It is large: load this file with `import()`, after the servers were spawned.

/** What the modern era over stdio is asked for. */
const modern = "2026-07-28";
/** For `terminateSession`, ms: a server that is gone need not be told so. */
const farewell = 1000;

export interface ConnectOptions extends AnswerPorts {
  readonly client: ClientInfo;
  readonly events: ConnectionEvents;
  /** How long it may take to become ready, ms: a third of it is left to a server that does not answer the probe. */
  readonly startupMs: number;
}
/** A remote server. `transport` null: Streamable HTTP, then SSE on a 4xx (spec 6). */
export interface HttpTarget {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: "streamable_http" | "sse" | null;
  readonly fetch: typeof globalThis.fetch;
  /** For a server that wants its user signed in; absent where the declaration sends what it wants to be known by. */
  readonly oauth?:
    | (OAuthPorts & { readonly declared: McpOAuthConfig | undefined; readonly now: () => number })
    | undefined;
}
const lists = ["tools", "resources", "prompts"] as const;

/** Accepts any result: what servers get wrong is forgiven in `tool-list.ts` and `tool-result.ts`. */
const anything = {
  "~standard": { version: 1, vendor: "nacre", validate: (value: unknown) => ({ value }) },
} as const;

/**
 * Shakes hands with a server on a child's streams, in the era that it speaks (`inEitherEra`), or in the given one.
 * @throws EndedByRefusal, NacreError, what the library throws; the transport is closed then
 */
export async function connectStdio(
  transport: StdioTransport,
  given: ConnectOptions & { readonly era?: Era },
  signal: AbortSignal,
): Promise<Connection> {
  const { era } = given;
  const limits = new CallLimits();
  const options = pausing(given, limits);
  const { name, events } = options;
  const answers = createAnswers(options);
  const attempt = async (mode: Era): Promise<Opened> => {
    const lent = new LentTransport(transport);
    const client = createClient(options, mode === "modern" ? { pin: modern } : "legacy", answers);
    await connect(client, lent, signal);
    lent.keep();
    return openedBy(client, "stdio", events, answers);
  };
  try {
    const opened = await (era === undefined
      ? inEitherEra(
          attempt,
          () => transport.isEnding,
          (text) => events.onNote(text),
          signal,
        )
      : attempt(era));
    return new ClientConnection(opened, { name, limits });
  } catch (error) {
    await transport.close();
    throw error;
  }
}

/**
 * Connects to a remote server in whichever era and transport it speaks. A session that the server forgot is opened anew, once a
 * request. @throws NacreError `needs_setup` (401, 403), `network`, `unavailable`; `denied`, `timeout` where nobody signed in
 */
export async function connectHttp(
  target: HttpTarget,
  given: ConnectOptions,
  signal: AbortSignal,
): Promise<Connection> {
  const limits = new CallLimits();
  const options = pausing(given, limits);
  const { name, events } = options;
  const { oauth, url } = target;
  const fetch = boundedFetch(target.fetch);
  const session =
    oauth &&
    new OAuthSession({ server: name, url, fetch, ports: oauth, library: sdkLibrary, events, ...oauth });
  const reached = { ...target, fetch: session?.fetch ?? fetch };
  try {
    const opened = await withSignIn(session, signal, () => openHttp(reached, options, signal));
    const same: HttpTarget = {
      ...reached,
      transport: opened.transport === "sse" ? "sse" : "streamable_http",
    };
    const reopen = (again: AbortSignal): Promise<Opened> => openHttp(same, options, again);
    const onStale = (): void => events.onListChanged("tools");
    return new ClientConnection(opened, { name, reopen, signIn: session, limits, onStale });
  } catch (error) {
    session?.close();
    throw error;
  }
}

/** While a person is asked, the clocks of the start and of every call stand still. */
function pausing<Options extends ConnectOptions>(options: Options, limits: CallLimits): Options {
  const { events, ask } = options;
  const onWait = (): (() => void) => {
    const resumes = [events.onWait(), limits.pause()];
    return () => resumes.forEach((resume) => resume());
  };
  const asking: AskPerson | undefined =
    ask &&
    (async (request, signal) => {
      const resume = onWait();
      return ask(request, signal).finally(resume);
    });
  return { ...options, ask: asking, events: { ...events, onWait } };
}

/** What the room holds of a connected client. */
function openedBy(
  client: Client,
  transport: McpTransport,
  events: ConnectionEvents,
  answers: Answers,
  sayFarewell = (): Promise<void> => Promise.resolve(),
): Opened {
  const isModern = client.getProtocolEra() === "modern";
  const said = selfDescription(
    {
      instructions: client.getInstructions(),
      capabilities: { ...client.getServerCapabilities() },
      serverInfo: client.getServerVersion(),
    },
    (text) => events.onNote(text),
  );
  const listening = isModern
    ? new Listening(said.capabilities, {
        listen: (filter, limits) => client.listen(filter, limits),
        onGap: () => lists.forEach((list) => events.onListChanged(list)),
        onNote: (text) => events.onNote(text),
      })
    : undefined;
  return {
    transport,
    protocol: client.getNegotiatedProtocolVersion() ?? "",
    ...said,
    mirrorsArguments: transport === "streamable_http" && isModern,
    ended: new Promise((resolve) => {
      client.onclose = () => {
        listening?.close();
        resolve();
      };
    }),
    request: async (method, params, options) => {
      const { uri } = params;
      const watches = method === "resources/subscribe";
      // The modern era has no such request: what is watched stands in the stream of changes.
      if (listening && typeof uri === "string" && (watches || method === "resources/unsubscribe"))
        return listening.watch(uri, watches);
      return uncarried(await client.request({ method, params }, anything, options));
    },
    answer: (method, params, signal) => answerInput(answers, method, params, signal),
    notify: async (method, params) => {
      try {
        await client.notification({ method, params });
      } catch {
        // A session that is over hears nothing; the library has told `onerror`.
      }
    },
    close: async () => {
      listening?.close();
      for (const leave of [() => within(farewell, sayFarewell()), () => client.close()])
        try {
          await leave();
        } catch (error) {
          // The server ends by itself what it would not end when asked.
          events.onNote(`the session could not be ended: ${describe(error)}`);
        }
    },
  };
}

function createClient(
  { client, events, startupMs }: ConnectOptions,
  mode: "legacy" | "auto" | { readonly pin: string },
  { capabilities, elicit, sample, listRoots }: Answers,
): Client {
  const created = new Client(
    { name: client.name, version: client.version },
    {
      capabilities: {
        ...capabilities,
        extensions: { [tasksExtension]: {}, ...client.extensions },
      },
      versionNegotiation: { mode, probe: { timeoutMs: startupMs / 3 } },
    },
  );
  if (elicit)
    created.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) =>
      elicit({ ...params }, mcpReq.signal),
    );
  if (sample)
    created.setRequestHandler("sampling/createMessage", ({ params }, { mcpReq }) =>
      sample({ ...params }, mcpReq.signal),
    );
  if (listRoots)
    created.setRequestHandler("roots/list", (_request, { mcpReq }) => listRoots({}, mcpReq.signal));
  created.onerror = (error) => events.onNote(describe(error));
  for (const list of lists)
    created.setNotificationHandler(`notifications/${list}/list_changed`, () => events.onListChanged(list));
  created.setNotificationHandler("notifications/resources/updated", ({ params }) =>
    events.onResourceUpdated(params.uri),
  );
  created.setNotificationHandler("notifications/message", ({ params }) =>
    events.onNote(
      `${params.level}: ${typeof params.data === "string" ? params.data : JSON.stringify(params.data)}`,
    ),
  );
  return created;
}

/** Connects; an abort or a failure closes the transport and waits for it. */
async function connect(client: Client, transport: Transport, signal: AbortSignal): Promise<void> {
  const abort = (): void => void transport.close();
  signal.throwIfAborted();
  signal.addEventListener("abort", abort, { once: true });
  try {
    await client.connect(transport, { signal, timeout: unlimited });
    const deliver = transport.onmessage;
    if (deliver && client.getProtocolEra() === "modern")
      transport.onmessage = (message, extra) => deliver(carried(withResultType(message)), extra);
  } catch (error) {
    await transport.close();
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

async function openHttp(target: HttpTarget, options: ConnectOptions, signal: AbortSignal): Promise<Opened> {
  const answers = createAnswers(options);
  const attempt = async (kind: "auto" | "legacy" | "sse"): Promise<Opened> => {
    const settings = { requestInit: { headers: target.headers }, fetch: target.fetch };
    const client = createClient(options, kind === "auto" ? "auto" : "legacy", answers);
    if (kind === "sse") {
      await connect(client, new SSEClientTransport(target.url, settings), signal);
      return openedBy(client, "sse", options.events, answers);
    }
    const transport = new StreamableHTTPClientTransport(target.url, settings);
    await connect(client, transport, signal);
    return openedBy(client, "streamable_http", options.events, answers, () => transport.terminateSession());
  };
  const failed = (error: unknown): Error => toCallError(error, `connecting to "${options.name}"`, 0);
  /** Only a server that is there and does not understand is asked in another way. */
  const isStrange = (error: unknown): boolean =>
    !signal.aborted && !isNetworkFailure(error) && httpStatus(error) !== 401 && httpStatus(error) !== 403;
  const isRefusal = (error: unknown): boolean =>
    isStrange(error) && Math.floor((httpStatus(error) ?? 0) / 100) === 4;
  let last: unknown;
  for (const kind of target.transport === "sse" ? (["sse"] as const) : (["auto", "legacy", "sse"] as const)) {
    if (kind === "legacy" && isRefusal(last)) continue;
    if (kind === "sse" && target.transport === "streamable_http") break;
    if (kind === "sse" && last !== undefined && !isRefusal(last)) break;
    try {
      return await attempt(kind);
    } catch (error) {
      signal.throwIfAborted();
      options.events.onNote(
        `${kind === "sse" ? "SSE" : `Streamable HTTP (${kind})`} failed: ${describe(error)}`,
      );
      // The first refusal says more than that of the last resort.
      if (kind === "sse" && last !== undefined) break;
      last = error;
      if (!isStrange(error)) break;
    }
  }
  throw failed(last);
}

/** Waits for what may hang, and leaves it alone then. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
