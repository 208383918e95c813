import { cutEnd } from "../../../shared/visible-text.ts";
import { Budget } from "./budget.ts";

const longestMessage = 500;

export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}
/** A call's progress as lines for its output. A server may report it thousands of times a second: then some are left out. */
export class ProgressLines {
  readonly #onLine: (line: string) => void;
  readonly #budget = new Budget(50, 10);
  #skipped: Progress | undefined;
  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }
  add(progress: Progress): void {
    const shows = this.#budget.take();
    this.#skipped = shows ? undefined : progress;
    if (shows) this.#show(progress);
  }
  /** The call is over: the last word comes through. */
  end(): void {
    if (this.#skipped) this.#show(this.#skipped);
    this.#skipped = undefined;
  }
  #show({ progress, total, message }: Progress): void {
    const share = total === undefined ? String(progress) : `${progress}/${total}`;
    this.#onLine(
      message === undefined ? `${share}\n` : `${cutEnd(message, longestMessage).kept} (${share})\n`,
    );
  }
}
