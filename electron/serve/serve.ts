import { randomBytes } from "node:crypto";
import { NacreError } from "../../shared/errors.ts";
import { Disposables } from "../host/kit/disposable.ts";
import { bindChannel, type BoundHost, type ShellPorts } from "../host/rpc.ts";
import { fileListener, listenOnLoopback } from "./http.ts";
import { openExternally } from "./open-externally.ts";
import { rendererFiles } from "./renderer-files.ts";
import { acceptSockets } from "./websocket.ts";

export interface ServeOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** The folder that the first page works in. */
  readonly workspace: string;
  /** What opens folders. It stays the caller's to stop, after `close`. */
  readonly workspaces: { open(folder: string): Promise<BoundHost>; close(folder: string): Promise<void> };
  /** `dist/renderer`, from the entry's own folder. */
  readonly renderer: string;
  readonly env: NodeJS.ProcessEnv;
}
export interface Served {
  /** With the token in its fragment, which no browser sends to any server. */
  readonly url: string;
  readonly pid: number;
  /** Ends every connection and the server. */
  close(): Promise<void>;
}

/**
 * The browser shell (spec 11): the same renderer over loopback. One workspace is open at a time; opening another folder
 * tells the page to load itself again, and what connects from then on works there.
 * @throws NacreError `unavailable` where the port cannot be had
 */
export async function serve(options: ServeOptions): Promise<Served> {
  let host = await options.workspaces.open(options.workspace);
  const { server, port } = await listenOnLoopback(options.port);
  const origin = `http://127.0.0.1:${port}`;
  const token = randomBytes(32).toString("base64url");
  const shell: ShellPorts = {
    // A page has no folder dialog that gives a path: it asks for one as text.
    pickFolder: () => Promise.resolve(null),
    async openFolder(path) {
      const left = host.workspace;
      host = await options.workspaces.open(path);
      const opened = host.workspace;
      // What worked in the folder that was left ends; its page loads itself again.
      if (left !== opened)
        options.workspaces
          .close(left)
          .catch((error: unknown) =>
            host.log.error("a folder could not be closed", { error: String(error) }),
          );
      return { path: opened, reload: true };
    },
    async openLink(url) {
      if (!(await openExternally(url, options.env)))
        throw new NacreError("unavailable", `no browser could be opened for ${url}: open it yourself`);
    },
  };
  const files = rendererFiles(options.renderer, [origin.replace("http", "ws")]);
  server.on(
    "request",
    fileListener(origin, files, (error) =>
      host.log.error("a file of the window could not be read", { error }),
    ),
  );
  const disposables = new Disposables();
  disposables.add(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  });
  disposables.add(
    acceptSockets(server, { origin, token, onChannel: (channel) => void bindChannel(channel, host, shell) }),
  );
  return { url: `${origin}/#token=${token}`, pid: process.pid, close: () => disposables.dispose() };
}
