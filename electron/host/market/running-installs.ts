import { NacreError } from "../../../shared/errors.ts";
import type { InstallStep, InstallView } from "../../../shared/market.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";

/** The installs of this host: one at a time for each thing, shown step by step, each can be cancelled. */
export class RunningInstalls {
  readonly #views = new Map<string, InstallView>();
  readonly #running = new Map<string, AbortController>();
  readonly #changed = new Emitter<InstallView>();
  readonly onChange: Listenable<InstallView> = this.#changed;

  /** Those under way and the last of each thing. */
  views(): readonly InstallView[] {
    return [...this.#views.values()];
  }
  cancel(id: string): void {
    this.#running.get(id)?.abort();
  }
  /**
   * Runs one install and shows how it goes.
   * @throws NacreError `locked` while the same thing is being installed, `stopped` after a cancel; what `work` throws
   */
  async run<T>(
    { id, name }: Pick<InstallView, "id" | "name">,
    work: (onStep: (step: InstallStep) => void, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    if (this.#running.has(id)) throw new NacreError("locked", `${id} is being installed already`);
    const cancel = new AbortController();
    const either = AbortSignal.any([signal, cancel.signal]);
    this.#running.set(id, cancel);
    let view: InstallView = { id, name, step: "fetch", state: "running" };
    const show = (more: Partial<InstallView>): void => {
      view = { ...view, ...more };
      this.#views.set(id, view);
      this.#changed.emit(view);
    };
    show({});
    try {
      const result = await work((step) => show({ step }), either);
      show({ state: "done" });
      return result;
    } catch (error) {
      // Whatever came out of an abort: the person wanted it to end.
      if (either.aborted) {
        show({ state: "cancelled" });
        throw new NacreError("stopped", `the install of ${id} was cancelled`, { cause: error });
      }
      show({ state: "failed", error: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      this.#running.delete(id);
    }
  }
}
