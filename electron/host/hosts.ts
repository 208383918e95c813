import os from "node:os";
import path from "node:path";
import { NacreError } from "../../shared/errors.ts";
import { realPath } from "./kit/files.ts";
import { createHost, type Host, type HostOptions } from "./host.ts";

interface Opened {
  readonly host: Host;
  /** Resolves when the folder stands among the recent ones, or could not be put there. */
  readonly remembered: Promise<void>;
}

/** The hosts of one shell: one a folder, opened when first asked for, all stopped together. */
export class Workspaces {
  readonly #options: Omit<HostOptions, "workspace">;
  readonly #hosts = new Map<string, Promise<Opened>>();
  constructor(options: Omit<HostOptions, "workspace">) {
    this.#options = options;
  }
  /**
   * The host of a folder, started. A folder reached by two paths has one host.
   * @throws NacreError `not_found` where there is no such folder
   */
  async open(folder: string): Promise<Host> {
    const workspace = realPath(asTyped(folder));
    const known = this.#hosts.get(workspace);
    if (known) return (await known).host;
    const opened = this.#start(workspace);
    this.#hosts.set(workspace, opened);
    // A folder that could not be opened is asked for anew.
    opened.catch(() => this.#hosts.delete(workspace));
    return (await opened).host;
  }
  async #start(workspace: string): Promise<Opened> {
    const host = await createHost({ ...this.#options, workspace });
    host
      .start()
      .catch((error: unknown) => host.log.error("the host could not be started", { error: String(error) }));
    // Settings that cannot be written, as a file that does not parse, keep no folder from being opened.
    const remembered = host
      .rememberFolder()
      .catch((error: unknown) => host.log.error("the folder is not remembered", { error: String(error) }));
    return { host, remembered };
  }
  /** Stops the host of a folder that nobody looks at any more. */
  async close(folder: string): Promise<void> {
    const workspace = realPath(folder);
    const opened = this.#hosts.get(workspace);
    this.#hosts.delete(workspace);
    if (opened) await stopHost(await opened);
  }
  async stop(): Promise<void> {
    const hosts = await Promise.allSettled(this.#hosts.values());
    this.#hosts.clear();
    await Promise.all(
      hosts.flatMap((opened) => (opened.status === "fulfilled" ? [stopHost(opened.value)] : [])),
    );
  }
}

async function stopHost({ host, remembered }: Opened): Promise<void> {
  await remembered;
  await host.stop();
}

/** A folder as a person types it: from the home folder, or in full. What "here" is, a window cannot know. */
function asTyped(folder: string): string {
  const expanded =
    folder === "~" || /^~[/\\]/.test(folder) ? path.join(os.homedir(), folder.slice(1)) : folder;
  if (path.isAbsolute(expanded)) return expanded;
  throw new NacreError("invalid_input", `write the whole path of the folder, or begin it with ~/: ${folder}`);
}
