import { endGroup, endGuarded, signalQuietly } from "./process-group.ts";
import { groupIsRunning } from "./process-table.ts";
import type { SystemProcess } from "./system-process.ts";
import { endTree, killTreeNow } from "./windows-tree.ts";

/** How a process and all that it started are ended on Windows. */
export interface TreeEnder {
  endTree(pid: number): Promise<void>;
  /** The same before it returns, where this process itself is ending. */
  killTreeNow(pid: number): void;
}
export interface GroupOptions {
  /** As in `SpawnSpec`. */
  readonly guardian?: boolean;
  /** Hears that the group could not be ended, in a sentence. */
  readonly report: (text: string) => void;
  readonly trees?: TreeEnder;
  readonly platform?: NodeJS.Platform;
}

/** The process group of one child, as long as it is surely the child's. */
export class ChildGroup {
  readonly #pid: number;
  readonly #options: GroupOptions;
  readonly #trees: TreeEnder;
  readonly #isWindows: boolean;
  readonly #leader: Promise<void>;
  #gone = false;
  #ending: Promise<void> | undefined;
  constructor({ pid, exit }: SystemProcess, options: GroupOptions) {
    this.#pid = pid;
    this.#options = options;
    this.#trees = options.trees ?? { endTree, killTreeNow };
    this.#isWindows = (options.platform ?? process.platform) === "win32";
    this.#leader = exit.then(() => {
      // From here on the number may go to another process, unless somebody of the group is left.
      this.#gone = this.#isWindows || !groupIsRunning(pid);
    });
  }
  /** TERM, after 2 s KILL; on Windows the tree at once. Resolves when all has ended. Twice is fine. Never rejects. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }
  /** KILL, without waiting. */
  kill(): void {
    if (this.#gone) return;
    if (this.#isWindows) this.#trees.killTreeNow(this.#pid);
    else signalQuietly(-this.#pid, "SIGKILL");
  }
  async #end(): Promise<void> {
    if (this.#gone) return;
    try {
      if (this.#isWindows) await this.#trees.endTree(this.#pid);
      else if (this.#options.guardian && process.platform === "linux") await endGuarded(this.#pid);
      else await endGroup(this.#pid);
    } catch (error) {
      this.#options.report(`what process ${this.#pid} started could not be ended: ${String(error)}`);
      // The process itself, at least: who waits for its end waits no longer.
      if (!this.#gone) signalQuietly(this.#pid, "SIGKILL");
    }
    await this.#leader;
    this.#gone = true;
  }
}
