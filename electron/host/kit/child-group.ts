import { endGroup, signalQuietly } from "./process-group.ts";
import { groupIsRunning } from "./process-table.ts";
import type { SystemProcess } from "./system-process.ts";

/** How a process and all that it started are ended on Windows. */
export interface TreeEnder {
  endTree(pid: number): Promise<void>;
  /** The same before it returns, where this process itself is ending. */
  killTreeNow(pid: number): void;
}

/** The process group of one child, as long as it is surely the child's. */
export class ChildGroup {
  readonly #pid: number;
  readonly #trees: TreeEnder;
  readonly #leader: Promise<void>;
  #gone = false;
  #ending: Promise<void> | undefined;
  constructor({ pid, exit }: SystemProcess, trees: TreeEnder) {
    this.#pid = pid;
    this.#trees = trees;
    this.#leader = exit.then(() => {
      // From here on the number may go to another process, unless somebody of the group is left.
      this.#gone = process.platform === "win32" || !groupIsRunning(pid);
    });
  }
  /** TERM, after 2 s KILL; on Windows the tree at once. Resolves when all has ended. Twice is fine. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }
  /** KILL, without waiting. */
  kill(): void {
    if (this.#gone) return;
    if (process.platform === "win32") this.#trees.killTreeNow(this.#pid);
    else signalQuietly(-this.#pid, "SIGKILL");
  }
  async #end(): Promise<void> {
    if (this.#gone) return;
    if (process.platform === "win32") await this.#trees.endTree(this.#pid);
    else await endGroup(this.#pid);
    await this.#leader;
    this.#gone = true;
  }
}
