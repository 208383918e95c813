import type { SessionEvent } from "../../../shared/session.ts";

type Delta = Extract<SessionEvent, { type: "delta" }>;
/** One message a frame (performance, What follows), ms. */
const frame = 16;

/** Joins what streams, so that a window hears of each text at most once a frame. */
export class DeltaBuffer {
  readonly #emit: (delta: Delta) => void;
  readonly #pending = new Map<string, Delta>();
  #timer: NodeJS.Timeout | undefined;

  constructor(emit: (delta: Delta) => void) {
    this.#emit = emit;
  }
  /** @param at length of the field before the text */
  add(entryId: string, field: Delta["field"], at: number, text: string): void {
    const key = `${field} ${entryId}`;
    const before = this.#pending.get(key);
    this.#pending.set(key, {
      type: "delta",
      entryId,
      field,
      at: before?.at ?? at,
      text: (before?.text ?? "") + text,
    });
    this.#timer ??= setTimeout(() => this.flush(), frame);
  }
  /** Tells what is pending now; nothing waits any more. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const deltas = [...this.#pending.values()];
    this.#pending.clear();
    for (const delta of deltas) this.#emit(delta);
  }
}
