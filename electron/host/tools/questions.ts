import { NacreError } from "../../../shared/errors.ts";
import type { QuestionView } from "../../../shared/question.ts";
import { abortError } from "../kit/abort.ts";
import type { Ids } from "../kit/clock.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import type { AskUser } from "./builtin/ask-user.ts";

/** The questions of `ask_user` that wait for a person. */
export class Questions {
  readonly #open = new Map<
    string,
    { readonly view: QuestionView; readonly settle: (text: string) => void }
  >();
  readonly #ids: Ids;
  readonly #changed: Emitter<readonly QuestionView[]>;
  readonly onChange: Listenable<readonly QuestionView[]>;
  /** `onError` hears what listeners throw. */
  constructor(ids: Ids, onError?: (error: unknown) => void) {
    this.#ids = ids;
    this.#changed = new Emitter(onError);
    this.onChange = this.#changed;
  }
  /** Oldest first. */
  open(): readonly QuestionView[] {
    return [...this.#open.values()].map(({ view }) => view);
  }
  /** Waits for the answer; an abort takes the question back. */
  readonly ask: AskUser = (question, options, { sessionId, callId }, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const id = this.#ids.next();
      const close = (): void => {
        signal.removeEventListener("abort", abort);
        this.#open.delete(id);
        this.#changed.emit(this.open());
      };
      const abort = (): void => {
        close();
        reject(abortError(signal));
      };
      const settle = (text: string): void => {
        close();
        resolve(text);
      };
      this.#open.set(id, { view: { id, sessionId, callId, question, options }, settle });
      signal.addEventListener("abort", abort, { once: true });
      this.#changed.emit(this.open());
    });
  /** @throws NacreError `not_found` for a question that is gone */
  answer(id: string, text: string): void {
    const open = this.#open.get(id);
    if (!open) throw new NacreError("not_found", "this question is no longer open");
    open.settle(text);
  }
}
