/** Runs one piece of work at a time; however often it is asked for meanwhile, it runs once more then. */
export class Repeat {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | undefined;
  #again = false;
  /** `work` must not reject. */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }
  /** Resolves when it is done and nothing was asked for meanwhile. */
  request(): Promise<void> {
    if (this.#running) this.#again = true;
    return (this.#running ??= this.#run());
  }
  async #run(): Promise<void> {
    do {
      this.#again = false;
      await this.#work();
    } while (this.#again);
    this.#running = undefined;
  }
}
