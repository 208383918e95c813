import { isOffered, type ApprovalAnswer, type ApprovalView } from "../../../shared/approval.ts";
import { NacreError } from "../../../shared/errors.ts";
import { allowRule, parsePattern, type Rule } from "../config/permission.ts";
import { abortError } from "../kit/abort.ts";
import { createIds, systemClock, type Clock, type Ids } from "../kit/clock.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";

/** A question without what the broker gives it. */
export type ApprovalRequest = Omit<ApprovalView, "id" | "t"> & {
  /** Asked again after every answer: false where another answer has settled this question too. */
  readonly stillAsks?: () => boolean;
};
interface Open {
  readonly view: ApprovalView;
  readonly stillAsks: (() => boolean) | undefined;
  settle(answer: ApprovalAnswer): void;
}
interface Memory {
  readonly rules: Rule[];
  readonly folders: string[];
}

/** More open questions of one conversation than anybody reads; its next ones are denied at once, and nobody else's. */
const mostPending = 64;

/** The one broker of questions to the user. Remembers "this session" until the app ends. */
export class ApprovalBroker {
  readonly #open = new Map<string, Open>();
  readonly #memory = new Map<string, Memory>();
  readonly #changed = new Emitter<readonly ApprovalView[]>();
  readonly onChange: Listenable<readonly ApprovalView[]> = this.#changed;
  readonly #ids: Ids;
  readonly #clock: Clock;
  constructor(options: { ids?: Ids; clock?: Clock } = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#ids = options.ids ?? createIds(this.#clock);
  }
  /** Oldest first. */
  pending(): readonly ApprovalView[] {
    return [...this.#open.values()].map((open) => open.view);
  }
  /**
   * Queues a question and waits for its answer. An abort takes the question back and rejects with its reason.
   * With 64 open questions of its conversation a further one is denied at once.
   */
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { stillAsks, ...asked } = request;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const ofSource = this.pending().filter(({ sessionId }) => sessionId === asked.sessionId);
      if (ofSource.length >= mostPending) {
        resolve({ choice: "deny", note: `denied: ${mostPending} questions are open already` });
        return;
      }
      const view: ApprovalView = { ...asked, id: this.#ids.next(), t: this.#clock.now() };
      const close = (): void => {
        signal.removeEventListener("abort", abort);
        this.#open.delete(view.id);
        this.#changed.emit(this.pending());
      };
      const abort = (): void => {
        close();
        reject(abortError(signal));
      };
      this.#open.set(view.id, {
        view,
        stillAsks,
        settle(answer) {
          close();
          resolve(answer);
        },
      });
      signal.addEventListener("abort", abort, { once: true });
      this.#changed.emit(this.pending());
    });
  }
  /**
   * Answers one question. "This session" is remembered where the question offers a rule.
   * @throws NacreError `not_found` for a question that is gone, `denied` where the digest is not the one that was shown
   * or the answer is none that the question offers
   */
  answer(id: string, digest: string, answer: ApprovalAnswer): void {
    const open = this.#open.get(id);
    if (!open)
      throw new NacreError("not_found", "this question is no longer open: it was answered or stopped");
    const { view } = open;
    if (view.digest !== digest)
      throw new NacreError(
        "denied",
        `the answer is to something else than what ${view.title} asks; look again`,
      );
    if (!isOffered(answer.choice, view))
      throw new NacreError(
        "denied",
        view.rule === null
          ? `${view.title} can be allowed once or denied; it has no rule to remember`
          : `${view.title} belongs to no session; allow it once or always, or deny it`,
      );
    if (
      (answer.choice === "session" || answer.choice === "always") &&
      view.rule !== null &&
      view.sessionId !== null
    )
      this.#memoryOf(view.sessionId).rules.push(allowRule(view.rule, "session"));
    open.settle(answer);
    if (answer.choice !== "deny") this.#settleCovered();
  }
  /** Rules of "this session" answers. */
  remembered(sessionId: string | null): readonly Rule[] {
    return (sessionId === null ? undefined : this.#memory.get(sessionId))?.rules ?? [];
  }
  /** Folders outside that a read was allowed in (spec 4: asked once per folder). Real paths. */
  openedFolders(sessionId: string | null): readonly string[] {
    return (sessionId === null ? undefined : this.#memory.get(sessionId))?.folders ?? [];
  }
  /** Called where a read outside was allowed, with the decision's `opens`; questions that it settles are answered. */
  openFolders(sessionId: string | null, folders: readonly string[]): void {
    if (sessionId === null || folders.length === 0) return;
    this.#memoryOf(sessionId).folders.push(...folders);
    this.#settleCovered();
  }
  /** Takes back a remembered answer, as `tool:pattern`, in every session. */
  forgetRule(text: string): void {
    const { tool, pattern } = parsePattern(text);
    for (const { rules } of this.#memory.values()) {
      const kept = rules.filter((rule) => rule.tool !== tool || rule.pattern !== pattern);
      rules.splice(0, rules.length, ...kept);
    }
  }
  /** Denies whatever is open and forgets everything: nobody is there any more. */
  end(): void {
    this.#memory.clear();
    for (const open of this.#open.values()) open.settle({ choice: "deny", note: "the app has ended" });
  }
  #memoryOf(sessionId: string): Memory {
    const memory = this.#memory.get(sessionId) ?? { rules: [], folders: [] };
    this.#memory.set(sessionId, memory);
    return memory;
  }
  #settleCovered(): void {
    for (const open of this.#open.values()) if (open.stillAsks?.() === false) open.settle({ choice: "once" });
  }
}
