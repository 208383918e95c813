/** What everything that starts gives back (architecture, idea 5). Resolves when all is quiet; twice does nothing. */
export type Dispose = () => void | Promise<void>;

/** Collects what must end together. Ends in reverse order; one failure does not keep the others from ending. */
export class Disposables {
  #items: Dispose[] = [];
  #ended: Promise<void> | undefined;

  /** Adds one; where the store has ended already, it is ended at once. */
  add(dispose: Dispose): Dispose {
    if (this.#ended) void dispose();
    else this.#items.push(dispose);
    return dispose;
  }
  dispose(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }
  async #end(): Promise<void> {
    const failures: unknown[] = [];
    for (const dispose of this.#items.reverse()) {
      try {
        await dispose();
      } catch (error) {
        failures.push(error);
      }
    }
    this.#items = [];
    if (failures.length > 0) throw new AggregateError(failures, "some parts did not end cleanly");
  }
}
