import type { Dispose } from "../disposable.ts";
import { childEnvironment } from "../environment.ts";
import type { SystemProcess } from "../system-process.ts";
import { LastWatch } from "./last-watch.ts";
import type { HelperLink } from "./link.ts";
import type { SpawnRequest, Watched } from "./protocol.ts";
import type { StartHelper } from "./start-helper.ts";

/** From the death of a helper to its next start, ms; after the last it stays away, and the run file is what is left. */
const pauses = [100, 1_000, 10_000];

export interface HelperOptions {
  readonly start: StartHelper;
  /** The user's environment; the helper gets of it what every child gets. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** The beginning of the run names of all children. */
  readonly run: string;
  /** Hears that the helper died, in a sentence. */
  readonly report: (text: string) => void;
}

/**
 * Keeps one helper process while this process has children: starts it when asked, starts it again when it dies, and tells
 * each new one which children live.
 */
export class HelperKeeper {
  readonly #watched = new Map<number, Watched>();
  #options: HelperOptions | undefined;
  #link: Promise<HelperLink> | undefined;
  #ready: HelperLink | undefined;
  /** Beside a helper that may end with this process; it outlives helpers. */
  #lastWatch: LastWatch | undefined;
  #users = 0;
  #deaths = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * From now on a helper may be started. It ends, with what it watches, when the last who called this calls what it
   * gave back. The first one's options hold.
   */
  use(options: HelperOptions): Dispose {
    this.#options ??= options;
    this.#users++;
    let released: Promise<void> | undefined;
    return () => (released ??= this.#release());
  }
  watch(child: Watched): void {
    this.#watched.set(child.number, child);
    this.#ready?.say({ type: "watch", ...child });
    this.#tellLast();
  }
  forget(number: number): void {
    if (!this.#watched.delete(number)) return;
    this.#ready?.say({ type: "forget", number });
    this.#tellLast();
  }
  /** Starts the helper where none runs and one may; returns at once. */
  start(): void {
    const options = this.#options;
    if (!options || this.#link || this.#timer || this.#deaths > pauses.length) return;
    const link = import("./link.ts").then(
      ({ HelperLink }) => new HelperLink(options.start, childEnvironment(options.env)),
    );
    this.#link = link;
    void link.then((opened) => this.#follow(opened, options));
  }
  get isReady(): boolean {
    return this.#ready?.isReady === true;
  }
  /** Resolves when the helper that was started last is ready, or has failed. */
  async settled(): Promise<void> {
    const link = await this.#link;
    await link?.ready.catch(() => undefined);
  }
  /** Undefined where there is no helper to ask. @throws the system's error */
  async spawn(request: SpawnRequest): Promise<SystemProcess | undefined> {
    return this.isReady ? this.#ready?.spawn(request) : undefined;
  }

  #tellLast(): void {
    this.#lastWatch?.tell([...this.#watched.values()].map(({ pid }) => pid));
  }
  async #follow(link: HelperLink, { run, env, report }: HelperOptions): Promise<void> {
    link.ready.then(
      () => {
        this.#ready = link;
        if (link.mayEndWithHost && process.platform !== "win32" && this.#options) {
          this.#lastWatch ??= new LastWatch(run, env, report);
          this.#tellLast();
        }
        link.say({ type: "run", run });
        for (const child of this.#watched.values()) link.say({ type: "watch", ...child });
      },
      // Its end is heard below.
      () => undefined,
    );
    await link.ended;
    this.#ready = undefined;
    this.#link = undefined;
    if (!this.#options) return;
    const pause = pauses[this.#deaths++];
    report(pause === undefined ? "the helper process died again and stays away" : "the helper process died");
    if (pause === undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#watched.size > 0) this.start();
    }, pause).unref();
  }
  async #release(): Promise<void> {
    if (--this.#users > 0) return;
    this.#options = undefined;
    this.#deaths = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lastWatch = this.#lastWatch;
    this.#lastWatch = undefined;
    const link = await this.#link;
    await link?.stop();
    await lastWatch?.stop();
  }
}
