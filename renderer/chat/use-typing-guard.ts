import { onMounted, onScopeDispose } from "vue";
import { pointerGuardMs, TypingGuard } from "../../shared/approval-keys.ts";

/** Keys that lead to an answer without writing anything: after a quiet time they leave it quiet. */
const leading: ReadonlySet<string> = new Set([
  "Tab",
  "Shift",
  "Control",
  "Alt",
  "Meta",
  "Escape",
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "PageUp",
  "PageDown",
  "Home",
  "End",
]);

/**
 * Tells whether what was just pressed was meant for a card that came by itself. It hears every key and every press of the
 * pointer on the page from the card's appearance on: who types, wherever, answers nothing before a pause, and a press
 * counts only when it began after the card had stood for a moment. `ownField` is the card's own field, whose keys are no
 * stray typing once anything was meant.
 */
export function useTypingGuard(ownField: () => Element | null): () => boolean {
  const keys = new TypingGuard(performance.now());
  const pointer = new TypingGuard(performance.now(), pointerGuardMs);
  let isOpen = false;
  /** Of what went down last; undefined once it is used, as for a click of assistive software. */
  let meant: boolean | undefined;
  const keyDown = (event: KeyboardEvent): void => {
    const now = performance.now();
    meant = keys.passes(now) && !event.repeat;
    isOpen ||= meant;
    if (isOpen && event.target !== null && event.target === ownField()) meant = true;
    else if (!leading.has(event.key)) keys.restart(now);
  };
  const pointerDown = (): void => {
    meant = pointer.passes(performance.now());
    isOpen ||= meant;
  };
  onMounted(() => {
    document.addEventListener("keydown", keyDown, { capture: true });
    document.addEventListener("pointerdown", pointerDown, { capture: true });
  });
  onScopeDispose(() => {
    document.removeEventListener("keydown", keyDown, { capture: true });
    document.removeEventListener("pointerdown", pointerDown, { capture: true });
  });
  return () => {
    const answer = meant ?? keys.passes(performance.now());
    meant = undefined;
    return answer;
  };
}
