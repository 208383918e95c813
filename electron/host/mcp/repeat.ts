/** Runs one piece of work at a time; however often it is asked for meanwhile, it runs once more then. */
export class Repeat {
  readonly #work: () => Promise<void>;
  #running = false;
  #again = false;
  /** `work` must not reject. */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }
  request(): void {
    if (this.#running) this.#again = true;
    else void this.#run();
  }
  async #run(): Promise<void> {
    this.#running = true;
    do {
      this.#again = false;
      await this.#work();
    } while (this.#again);
    this.#running = false;
  }
}
