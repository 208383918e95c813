import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";

/** Every problem found in someone's file, by who found it (spec 1). A source replaces its own list. */
export class DiagnosticStore {
  readonly #lists = new Map<string, readonly Diagnostic[]>();
  readonly #changed = new Emitter<readonly Diagnostic[]>();
  readonly onChange: Listenable<readonly Diagnostic[]> = this.#changed;

  /** Replaces what `source` had reported; an empty list takes it back. */
  set(source: string, list: readonly Diagnostic[]): void {
    const before = this.#lists.get(source) ?? [];
    if (JSON.stringify(before) === JSON.stringify(list)) return;
    if (list.length === 0) this.#lists.delete(source);
    else this.#lists.set(source, [...list]);
    this.#changed.emit(this.all());
  }
  /** Sources in the order of their first report; the same problem found twice stands once. */
  all(): readonly Diagnostic[] {
    const seen = new Map<string, Diagnostic>();
    for (const list of this.#lists.values())
      for (const diagnostic of list) seen.set(JSON.stringify(diagnostic), diagnostic);
    return [...seen.values()];
  }
}
