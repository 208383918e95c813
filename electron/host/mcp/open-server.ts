import { NacreError } from "../../../shared/errors.ts";
import type { Clock } from "../kit/clock.ts";
import { childEnvironment } from "../kit/environment.ts";
import { spawn, type SpawnSpec } from "../kit/process.ts";
import type { Launch } from "./launch.ts";
import type { ServerLog } from "./server-log.ts";
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
  /** The command that runs a server confined (`sandbox: true`); absent where no sandbox exists. */
  readonly confine?: (spec: SpawnSpec, id: string) => SpawnSpec;
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
  readonly sandbox: boolean;
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
  const { launch } = request;
  return launch.kind === "stdio"
    ? openStdio(request, launch, ports, signal)
    : openHttp(request, launch, ports, signal);
}

async function openStdio(
  request: OpenRequest,
  launch: Launch & { kind: "stdio" },
  ports: OpenPorts,
  signal: AbortSignal,
): Promise<Opened> {
  const plain: SpawnSpec = {
    command: launch.command,
    args: launch.args,
    cwd: launch.cwd,
    env: childEnvironment(ports.env, { extra: launch.env, drop: ports.dropEnv() }),
  };
  if (request.sandbox && !ports.confine)
    throw new NacreError(
      "unavailable",
      "it asks for a sandbox, and this machine has none; set sandbox to false",
    );
  const spec = request.sandbox && ports.confine ? ports.confine(plain, request.id) : plain;
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
    const { client, workspace } = ports;
    return {
      connection: await connectStdio(transport, { name, client, events, startupMs, workspace }, signal),
      transport,
    };
  } catch (error) {
    await transport.close();
    throw error;
  }
}

async function openHttp(
  { name, events, sandbox, startupMs }: OpenRequest,
  launch: Launch & { kind: "http" },
  { fetch, client }: OpenPorts,
  signal: AbortSignal,
): Promise<Opened> {
  if (sandbox) events.onNote("sandbox has no meaning for a remote server and is ignored");
  const { connectHttp } = await import("./connection.ts");
  const connection = await connectHttp({ ...launch, fetch }, { name, client, events, startupMs }, signal);
  return { connection, transport: undefined };
}
