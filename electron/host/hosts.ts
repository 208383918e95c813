import { realPath } from "./kit/files.ts";
import { createHost, type Host, type HostOptions } from "./host.ts";

/** The hosts of one shell: one a folder, opened when first asked for, all stopped together. */
export class Workspaces {
  readonly #options: Omit<HostOptions, "workspace">;
  readonly #hosts = new Map<string, Promise<Host>>();
  constructor(options: Omit<HostOptions, "workspace">) {
    this.#options = options;
  }
  /**
   * The host of a folder, started. A folder reached by two paths has one host.
   * @throws NacreError `not_found` where there is no such folder
   */
  open(folder: string): Promise<Host> {
    const workspace = realPath(folder);
    const known = this.#hosts.get(workspace);
    if (known) return known;
    const host = this.#start(workspace);
    this.#hosts.set(workspace, host);
    // A folder that could not be opened is asked for anew.
    host.catch(() => this.#hosts.delete(workspace));
    return host;
  }
  async #start(workspace: string): Promise<Host> {
    const host = await createHost({ ...this.#options, workspace });
    await host.rememberFolder();
    void host.start();
    return host;
  }
  /** Stops the host of a folder that nobody looks at any more. */
  async close(folder: string): Promise<void> {
    const workspace = realPath(folder);
    const host = this.#hosts.get(workspace);
    this.#hosts.delete(workspace);
    await (await host)?.stop();
  }
  async stop(): Promise<void> {
    const hosts = await Promise.allSettled(this.#hosts.values());
    this.#hosts.clear();
    const stops = hosts.flatMap((host) => (host.status === "fulfilled" ? [host.value.stop()] : []));
    await Promise.all(stops);
  }
}
