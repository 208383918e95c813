import fs from "node:fs";
import type { Socket } from "node:net";
import { NacreError } from "../../../shared/errors.ts";
import { hasProxy, proxyFor } from "./proxy.ts";

type Fetch = typeof globalThis.fetch;
type Dispatcher = NonNullable<RequestInit["dispatcher"]>;

export interface FetchOptions {
  /** A file of certificates (PEM) to trust beside the system's. `NODE_EXTRA_CA_CERTS` is Node's own and holds anyway. */
  readonly caFile?: string;
}

/**
 * The one `fetch` of the app: Node's own, through the proxy that the environment names and with the extra
 * certificates. Nothing is read before the first request. Requests to this machine go directly.
 */
export function createFetch(env: Readonly<NodeJS.ProcessEnv>, options: FetchOptions = {}): Fetch {
  if (!hasProxy(env) && options.caFile === undefined) return (input, init) => globalThis.fetch(input, init);
  let dispatcher: Promise<Dispatcher> | undefined;
  return async (input, init) => {
    dispatcher ??= makeDispatcher(env, options);
    return globalThis.fetch(input, { ...init, dispatcher: await dispatcher });
  };
}

/** undici's documented name for the dispatcher that `fetch` uses; Node sets it when `fetch` is first called. */
const globalDispatcher = Symbol.for("undici.globalDispatcher.1");

async function makeDispatcher(env: Readonly<NodeJS.ProcessEnv>, options: FetchOptions): Promise<Dispatcher> {
  // Where certificates are named, Node leaves out those that it added by itself.
  const files = options.caFile === undefined ? [] : [options.caFile, env["NODE_EXTRA_CA_CERTS"] ?? ""];
  const ca = files.filter((file) => file !== "").map(readCertificates);
  // Node's own Agent class is reached through its instance: Node does not export it. `data:` opens no connection.
  await globalThis.fetch("data:,");
  const existing: unknown = Reflect.get(globalThis, globalDispatcher);
  if (!isDispatcher(existing)) throw unusable();
  const made: unknown = Reflect.construct(existing.constructor, [{ connect: connector(env, ca) }]);
  if (!isDispatcher(made)) throw unusable();
  return made;
}
const unusable = (): NacreError =>
  new NacreError(
    "unavailable",
    `proxies cannot be used with Node ${process.version}: its fetch has another shape`,
  );
const isDispatcher = (value: unknown): value is Dispatcher =>
  typeof value === "object" && value !== null && "dispatch" in value && typeof value.dispatch === "function";

interface ConnectOptions {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}
type Connected = (error: Error | null, socket: Socket | null) => void;

function connector(env: Readonly<NodeJS.ProcessEnv>, ca: readonly string[]) {
  return ({ protocol, hostname, port }: ConnectOptions, connected: Connected): void => {
    const connect = async (): Promise<Socket> => {
      const target = new URL(`${protocol}//${hostname}${port === "" ? "" : `:${port}`}`);
      // TLS and the http client are loaded with the first connection, not with the app.
      const { connectTo } = await import("./tunnel.ts");
      return connectTo(target, proxyFor(target, env), ca);
    };
    connect().then(
      (socket) => connected(null, socket),
      (error: unknown) => connected(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}
function readCertificates(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NacreError("configuration", `the certificates in ${file} cannot be read: ${reason}`, {
      cause: error,
    });
  }
}
