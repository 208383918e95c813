import { onScopeDispose } from "vue";

/**
 * Gives the focus back where an app takes it by itself: a page could have what is typed next. It keeps it where the person
 * points at it or came by the Tab key.
 */
export function useFocusGuard(frame: () => HTMLIFrameElement | null): void {
  let last: HTMLElement | null = null;
  let pointed = false;
  let tabbed = false;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const focused = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLElement && !(target instanceof HTMLIFrameElement)) last = target;
  };
  const pointer = ({ target }: PointerEvent): void => void (pointed = target === frame());
  const key = ({ key: name }: KeyboardEvent): void => void (tabbed = name === "Tab");
  const keyEnd = (): void => void (tabbed = false);
  const give = (): void => {
    const own = frame();
    if (!own || document.activeElement !== own) return;
    window.focus();
    if (last?.isConnected) last.focus();
    else own.blur();
  };
  const lost = (): void => {
    if (pointed || tabbed) return;
    // Which element has the focus is said only after the window has lost it.
    clearTimeout(waiting);
    waiting = setTimeout(give);
  };
  document.addEventListener("focusin", focused);
  document.addEventListener("pointerover", pointer);
  document.addEventListener("keydown", key, true);
  document.addEventListener("keyup", keyEnd, true);
  addEventListener("blur", lost);
  onScopeDispose(() => {
    clearTimeout(waiting);
    document.removeEventListener("focusin", focused);
    document.removeEventListener("pointerover", pointer);
    document.removeEventListener("keydown", key, true);
    document.removeEventListener("keyup", keyEnd, true);
    removeEventListener("blur", lost);
  });
}
