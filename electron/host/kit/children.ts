import { askSystem } from "./ask-system.ts";
import { whenExited } from "./child-exit.ts";
import { ChildGroup } from "./child-group.ts";
import type { Dispose } from "./disposable.ts";
import { HelperKeeper } from "./helper/keeper.ts";
import type { StartHelper } from "./helper/start-helper.ts";
import { endEscaped, killEscaped } from "./process-group.ts";
import { processStat } from "./process-table.ts";
import type { Exit } from "./process.ts";
import { RunFile } from "./run-file.ts";
import type { SystemProcess } from "./system-process.ts";

/** What the list of children is told of the app. */
export interface KeepOptions {
  /** `<data>/run`: this process is noted there from its first child on. */
  readonly folder: string;
  /** Without it no helper is started: what a crash leaves behind is found at the next start. */
  readonly startHelper?: StartHelper;
  /** The user's environment; the helper gets of it what every child gets. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly report: (text: string) => void;
  /** The login shell's PATH, where the app was started without it: children that would get ours get this one. */
  readonly loginPath?: Promise<string | undefined>;
}
/** One child in the list. */
export interface Live {
  /** As `Child.exit`. */
  readonly exit: Promise<Exit>;
  /** Ends the group; `sweep` also looks for what left it. */
  end(sweep: boolean): Promise<void>;
}
interface Entry extends Live {
  kill(): void;
}

/** Every child of this process: the one list that the run file, the helper and the end of the process go by. */
export class Children {
  /** Where programs are started by the helper, and who watches over all of them. */
  readonly helper = new HelperKeeper();
  readonly #live = new Map<number, Entry>();
  /** Until somebody keeps the children, their troubles are warnings of the process. */
  #report: (text: string) => void = (text) => process.emitWarning(text);
  #runName: string | undefined;
  #count = 0;
  #keepers = 0;
  #file: RunFile | undefined;
  #login: { readonly own: string | undefined; readonly found: Promise<string | undefined> } | undefined;
  /** Something was started since the last look for what was left behind. */
  #mayHaveLeft = false;

  /** The beginning of every child's run name; names this process among all that ever ran here. */
  get runName(): string {
    this.#runName ??= `${process.pid}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}.`;
    return this.#runName;
  }
  /**
   * From now on children are noted in the folder and watched by a helper process. What this gives back ends that; the
   * last one ends the helper and removes the file. Children are to be stopped before.
   */
  keep({ folder, startHelper, env, report, loginPath }: KeepOptions): Dispose {
    this.#file ??= new RunFile(folder, this.runName);
    this.#keepers++;
    this.#report = report;
    if (loginPath) this.#login ??= { own: env["PATH"], found: loginPath };
    const stopHelper = startHelper && this.helper.use({ start: startHelper, env, run: this.runName, report });
    let released: Promise<void> | undefined;
    const release = async (): Promise<void> => {
      await stopHelper?.();
      if (--this.#keepers > 0) return;
      this.#login = undefined;
      if (this.#live.size > 0) return;
      this.#forgetAll();
      this.#file = undefined;
    };
    return () => (released ??= release());
  }
  /** The environment with the login shell's PATH in the place of the app's own, once it is known. */
  async withLoginPath(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
    if (!this.#login || env["PATH"] !== this.#login.own) return env;
    const found = await this.#login.found;
    return found === undefined ? env : { ...env, PATH: found };
  }
  /** The number of a child that is about to start, and its run's name for its environment. */
  next(): { readonly number: number; readonly name: string } {
    this.#mayHaveLeft = true;
    this.#note((file) => file.open());
    const number = ++this.#count;
    return { number, name: `${this.runName}${number}.` };
  }
  /** Takes a child in that has just started. @param guardian as in `SpawnSpec` */
  add(number: number, name: string, started: SystemProcess, guardian = false): Live {
    const { pid, exit: ended, outputs } = started;
    const child = { pid, start: processStat(pid)?.start ?? "", at: Date.now() };
    this.#note((file) => file.note(child));
    this.helper.watch({ number, ...child });
    const group = new ChildGroup(started, { guardian, report: (text) => this.#report(text) });
    const exit = whenExited(ended, outputs, () => void group.end());
    const entry: Entry = {
      exit,
      kill: () => group.kill(),
      end: async (sweep) => {
        await group.end();
        if (sweep) await endEscaped(name, askSystem);
      },
    };
    this.#live.set(number, entry);
    void exit.then(async () => {
      await group.end();
      this.#live.delete(number);
      this.helper.forget(number);
      this.#note((file) => file.forget(pid));
    });
    return entry;
  }
  /** Ends every child and what left their groups. Resolves when nothing of them runs. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.#live.values()].map((entry) => entry.end(false)));
    this.#forgetAll();
  }
  /** The same at once, for `process.on("exit")`: KILL, without waiting. */
  killAll(): void {
    for (const entry of this.#live.values()) entry.kill();
    this.#forgetAll();
  }
  #forgetAll(): void {
    if (!this.#mayHaveLeft) return;
    this.#mayHaveLeft = false;
    killEscaped(this.runName, askSystem);
    this.#file?.remove();
  }
  #note(write: (file: RunFile) => void): void {
    if (!this.#file) return;
    try {
      write(this.#file);
    } catch {
      // A data folder that cannot be written costs the sweep after a crash, not the child.
    }
  }
}
