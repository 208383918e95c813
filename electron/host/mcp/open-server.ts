import { NacreError } from "../../../shared/errors.ts";
import type { AskPerson } from "../../../shared/mcp-request.ts";
import type { Clock } from "../kit/clock.ts";
import { childEnvironment } from "../kit/environment.ts";
import { spawn, type SpawnSpec } from "../kit/process.ts";
import type { McpDeclaration } from "../config/types.ts";
import type { AnswerPorts } from "./features/answers.ts";
import { isOnThisComputer } from "./features/roots.ts";
import type { Launch } from "./launch.ts";
import type { OAuthPorts } from "./oauth/session.ts";
import type { ServerLog } from "./server-log.ts";
import { EndedByRefusal, type Era } from "./stdio-era.ts";
import { StdioTransport } from "./stdio-transport.ts";
import type { ClientInfo, Connection, ConnectionEvents } from "./types.ts";

/** What every server needs of the host. */
export interface OpenPorts {
  /** Real path. */
  readonly workspace: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Variables that no child gets: those that model settings name. */
  readonly dropEnv: () => readonly string[];
  readonly fetch: typeof globalThis.fetch;
  readonly client: ClientInfo;
  readonly clock: Clock;
  /** Puts a server's question to a person; absent: servers are not told that they may ask. */
  readonly ask?: AskPerson;
  /** Lends the model that answers servers' questions; absent: servers are not told that they may ask one. */
  readonly lendModel?: AnswerPorts["lendModel"];
  /** Folders outside of the workspace in which the app may write. */
  readonly otherRoots?: () => readonly string[];
  /** For the tokens of remote servers. */
  readonly oauth: OAuthPorts;
  /** Makes the command that runs a server confined (`sandbox: true`). @throws NacreError where nothing can run confined */
  readonly confine?: (
    spec: SpawnSpec,
    server: {
      readonly id: string;
      readonly declaration: McpDeclaration;
      /** What the declaration adds to the environment. */
      readonly env: Readonly<Record<string, string>>;
    },
  ) => Promise<ConfinedServer>;
}
/** A confined server that is ready to start. `ended` has to be called when it has ended, or is not started after all. */
export interface ConfinedServer {
  readonly spec: SpawnSpec;
  ended(): Promise<void>;
}
export interface Opened {
  readonly connection: Connection;
  /** The child's streams; undefined for remote servers. */
  readonly transport: StdioTransport | undefined;
}
export interface OpenRequest {
  readonly id: string;
  readonly name: string;
  readonly launch: Launch;
  readonly startupMs: number;
  /** What is started; undefined for remote servers. */
  readonly spec: SpawnSpec | undefined;
  readonly log: ServerLog;
  readonly events: ConnectionEvents;
  /** Hears of the child as soon as it runs, so that its end can be told also where the handshake fails. */
  readonly onTransport: (transport: StdioTransport) => void;
}

/**
 * Starts or reaches one server and shakes hands with it. The process is spawned before the client library is loaded, so
 * that both go on at once. Nothing of it is left where this throws.
 * @throws NacreError, what the library throws, or the signal's reason
 */
export function openServer(request: OpenRequest, ports: OpenPorts, signal: AbortSignal): Promise<Opened> {
  const { launch, spec } = request;
  if (launch.kind === "http") return openHttp(request, launch, ports, signal);
  if (spec === undefined) throw new NacreError("internal", `nothing to start for ${request.name}`);
  return openStdio(request, spec, ports, signal);
}

/** What starts a local server, unconfined; undefined for remote ones. */
export const serverSpec = (launch: Launch, ports: OpenPorts): SpawnSpec | undefined =>
  launch.kind === "http"
    ? undefined
    : {
        command: launch.command,
        args: launch.args,
        cwd: launch.cwd,
        env: childEnvironment(ports.env, { extra: launch.env, drop: ports.dropEnv() }),
      };

async function openStdio(
  request: OpenRequest,
  spec: SpawnSpec,
  ports: OpenPorts,
  signal: AbortSignal,
  era?: Era,
): Promise<Opened> {
  const spawned = spawn(spec);
  const library = import("./connection.ts");
  const { log, events } = request;
  const transport = new StdioTransport(await spawned, {
    onStderr: (chunk) => log.stderr(chunk),
    onStderrEnd: () => log.stderrEnd(),
    onNote: (text) => events.onNote(text),
  });
  request.onTransport(transport);
  try {
    const { connectStdio } = await library;
    const { name, startupMs } = request;
    const { client, ask, lendModel } = ports;
    const roots = rootsOf(ports);
    return {
      connection: await connectStdio(
        transport,
        { name, client, events, startupMs, ask, lendModel, roots, ...(era === undefined ? {} : { era }) },
        signal,
      ),
      transport,
    };
  } catch (error) {
    await transport.close();
    signal.throwIfAborted();
    if (error instanceof EndedByRefusal) return openStdio(request, spec, ports, signal, "modern");
    throw error;
  }
}

async function openHttp(
  { name, events, startupMs }: OpenRequest,
  launch: Launch & { kind: "http" },
  ports: OpenPorts,
  signal: AbortSignal,
): Promise<Opened> {
  const { connectHttp } = await import("./connection.ts");
  const { fetch, client, ask, lendModel, oauth, clock } = ports;
  // What the declaration sends by itself is what its owner wants to be known by.
  const isKnown = Object.keys(launch.headers).some((header) => header.toLowerCase() === "authorization");
  const target = {
    ...launch,
    fetch,
    oauth: isKnown ? undefined : { ...oauth, declared: launch.oauth, now: () => clock.now() },
  };
  const roots = isOnThisComputer(launch.url) ? rootsOf(ports) : undefined;
  const connection = await connectHttp(
    target,
    { name, client, events, startupMs, ask, lendModel, roots },
    signal,
  );
  return { connection, transport: undefined };
}

const rootsOf =
  ({ workspace, otherRoots }: OpenPorts) =>
  (): readonly string[] => [workspace, ...(otherRoots?.() ?? [])];
